import type { Message } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../index.ts';

/** The bare far side of a connection: answers `initialize`, and sends at once what stands in `behind`. */
function openAgent(answer: object, behind: readonly Message[] = []) {
  const [near, far] = createMemoryPair();
  const received: Message[] = [];
  far.onMessage((message) => {
    received.push(message as Message);
    if (received.length > 1) return;
    const { id } = message as { id: number };
    for (const each of [{ jsonrpc: '2.0', id, result: answer } as const, ...behind]) void far.send(each);
  });
  onTestFinished(() => far.close());
  return { near, received };
}

describe('initialize', () => {
  it('asks for the version that the client prefers, and is refused when the agent knows another one only', async () => {
    const { near, received } = openAgent({ protocolVersion: 7, info: { name: 'future' } });
    await expect(connect(near, { protocol: 1 })).rejects.toMatchObject({
      code: 'unsupported_version',
      message: expect.stringContaining('version 7, but this client speaks version 1'),
    });
    expect(received[0]).toMatchObject({ params: { protocolVersion: 1, clientInfo: { name: 'parley' } } });
  });

  it('that names no version is told as the invalid answer that it is', async () => {
    const { near } = openAgent({ agentCapabilities: {} });
    await expect(connect(near)).rejects.toMatchObject({
      code: 'invalid_answer',
      message: expect.stringContaining('protocolVersion'),
    });
  });

  it('has its version answer already what the agent sends right behind the answer', async () => {
    const { near, received } = openAgent({ protocolVersion: 1 }, [
      { jsonrpc: '2.0', id: 'file', method: 'fs/read_text_file', params: {} },
    ]);
    const connection = await connect(near, { workspace: { readTextFile: async () => 'text' } });
    onTestFinished(() => connection.close());
    await expect.poll(() => received.length).toBe(2);
    // Wrong params of a method that is known; before the version speaks, it would be unknown.
    expect(received[1]).toMatchObject({ id: 'file', error: { code: -32602 } });
  });

  it('tells what the agent offers, in words of no version', async () => {
    const { near } = openAgent({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
    const connection = await connect(near);
    onTestFinished(() => connection.close());
    expect(connection.offers).toMatchObject({ loadSession: true, resumeSession: false, authMethods: [] });
    expect(connection.capabilities).toMatchObject({ loadSession: true });
  });
});
