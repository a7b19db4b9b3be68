import { agent, client, methods } from '@agentclientprotocol/sdk';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import { createConnection, fromStream, type Message, toStream } from './index.ts';

describe('streams', () => {
  it('let the official SDK be an agent behind a Parley connection', async () => {
    const [near, far] = createMemoryPair();
    agent({ name: 'sdk' })
      .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
      .connect(toStream(far) as never);
    await using connection = createConnection(near);
    expect(await connection.request('initialize', { protocolVersion: 1 })).toMatchObject({ protocolVersion: 1 });
  });

  it('let the official SDK be a client in front of a Parley connection', async () => {
    const [near, far] = createMemoryPair();
    await using connection = createConnection(near);
    connection.onRequest('initialize', () => ({ protocolVersion: 1 }));
    const sdk = client({ name: 'sdk' }).connect(toStream(far) as never);
    expect(await sdk.agent.request('initialize', { protocolVersion: 1 })).toMatchObject({ protocolVersion: 1 });
    sdk.close();
  });

  it('keep every message and its order through both conversions', async () => {
    const [near, far] = createMemoryPair();
    const there = fromStream(toStream(near));
    const back = fromStream(toStream(far));
    const seen: unknown[] = [];
    const sent: Message[] = Array.from({ length: 200 }, (_, n) => ({ jsonrpc: '2.0', method: 'm', params: { n } }));
    const ended = new Promise<void>((resolve) => back.onClose(() => resolve()));
    back.onMessage((value) => seen.push(value));
    for (const message of sent) await there.send(message);
    await there.close();
    await ended;
    expect(seen).toEqual(sent);
  });

  it('hold delivery while paused and lose nothing', async () => {
    const [near, far] = createMemoryPair();
    const paused = fromStream(toStream(far));
    const seen: unknown[] = [];
    const all = new Promise<void>((resolve) => paused.onMessage((value) => seen.push(value) === 50 && resolve()));
    paused.pause();
    for (let n = 0; n < 50; n++) void near.send({ jsonrpc: '2.0', method: 'm', params: { n } });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen.length).toBe(0);
    paused.resume();
    await all;
    expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => ({ jsonrpc: '2.0', method: 'm', params: { n } })));
  });

  it('tell the transport that the peer has ended', async () => {
    const [near, far] = createMemoryPair();
    const wire = fromStream(toStream(far));
    const reason = new Promise((resolve) => wire.onClose(resolve));
    wire.onMessage(() => {});
    await near.close();
    expect(await reason).toEqual({ kind: 'ended' });
    await wire.close();
    expect(() => wire.send({ jsonrpc: '2.0', method: 'm' })).toThrow('closed');
  });
});
