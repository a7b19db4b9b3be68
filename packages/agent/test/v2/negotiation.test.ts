import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/index.ts';
import { connectRawClient, errorOf, testAgent, until } from '../raw-client.ts';
import { connectV2Client } from './v2-client.ts';

function simpleAgent(): Agent {
  return testAgent({ title: 'Test agent' }).built.onPrompt(async () => 'end_turn');
}

const INFO = { name: 'test', version: '1' };

describe('initialize in version 2', () => {
  it('answers with what the agent is and can do, and no word of version 1', async () => {
    const { built } = testAgent({ title: 'Test agent', additionalDirectories: true });
    built
      .accepts('image')
      .acceptsMcp('http', 'sse')
      .onPrompt(async () => {});
    await using client = connectV2Client(built);
    expect(await client.initialize()).toEqual({
      protocolVersion: 2,
      info: { name: 'test-agent', version: '1.0.0', title: 'Test agent' },
      capabilities: {
        session: {
          prompt: { image: {} },
          mcp: { stdio: {}, http: {} },
          delete: {},
          additionalDirectories: {},
        },
        auth: {},
      },
    });
  });

  it('serves what comes right behind it, before its answer is read', async () => {
    await using client = connectV2Client(simpleAgent());
    const [hello, session] = await Promise.all([client.initialize(), client.newSession()]);
    expect(hello).toMatchObject({ protocolVersion: 2 });
    expect(session).toHaveProperty('sessionId');
  });

  it('rule 39: refuses a client that asks for exactly this version and does not say who it is', async () => {
    await using client = connectV2Client(simpleAgent());
    expect(await errorOf(client.request('initialize', { protocolVersion: 2 }))).toMatchObject({ code: -32602 });
    expect(await errorOf(client.newSession())).toMatchObject({ code: -32600 });
    expect(await client.initialize()).toMatchObject({ protocolVersion: 2 });
    expect(await client.newSession()).toHaveProperty('sessionId');
  });

  it('rule 39: takes a client that asks for more, whoever it is', async () => {
    const seen: unknown[] = [];
    const { built } = testAgent();
    built.onPrompt(async (turn) => void seen.push(turn.client.info));
    await using client = connectV2Client(built);
    expect(await client.request('initialize', { protocolVersion: 9 })).toMatchObject({ protocolVersion: 2 });
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'go');
    await client.untilIdle();
    expect(seen).toEqual([{ name: 'unknown', version: 'unknown' }]);
  });

  it('rule 40: may be repeated before any other request, and not after it', async () => {
    const seen: unknown[] = [];
    const { built } = testAgent();
    built.onPrompt(async (turn) => void seen.push(turn.client.info));
    await using client = connectV2Client(built);
    await client.initialize();
    const again = { protocolVersion: 2, info: { name: 'again', version: '2' } };
    expect(await client.request('initialize', again)).toMatchObject({ protocolVersion: 2 });
    expect(await errorOf(client.request('initialize', { protocolVersion: 1 }))).toMatchObject({ code: -32600 });
    const { sessionId } = await client.newSession();
    expect(await errorOf(client.request('initialize', again))).toMatchObject({ code: -32600 });
    await client.prompt(sessionId, 'go');
    await client.untilIdle();
    expect(seen).toEqual([again.info]);
  });

  it('keeps the first introduction when a repeated one is refused', async () => {
    await using client = connectV2Client(simpleAgent());
    await client.initialize();
    expect(await errorOf(client.request('initialize', { protocolVersion: 2 }))).toMatchObject({ code: -32602 });
    expect(await client.newSession()).toHaveProperty('sessionId');
  });

  it('is refused in version 1 when it comes again', async () => {
    await using client = connectRawClient(simpleAgent());
    await client.initialize();
    expect(await errorOf(client.request('initialize', { protocolVersion: 2, info: INFO }))).toMatchObject({
      code: -32600,
    });
  });

  it('does not serve the methods of version 1', async () => {
    await using client = connectV2Client(simpleAgent());
    await client.initialize();
    for (const method of ['authenticate', 'logout', 'session/load', 'session/set_mode', 'session/set_model']) {
      expect(await errorOf(client.request(method, { sessionId: 's' }))).toMatchObject({ code: -32601 });
    }
  });
});

describe('request ids', () => {
  async function answersTo(version: number): Promise<unknown[]> {
    const [near, far] = createMemoryPair();
    const served = simpleAgent().serve(far);
    const answers: { id?: unknown; error?: { code: number } }[] = [];
    near.onMessage((message) => answers.push(message as never));
    const params = { protocolVersion: version, info: INFO };
    void near.send({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params });
    for (const id of [null, 1.5, 7]) void near.send({ jsonrpc: '2.0', id, method: 'session/list', params: {} });
    await until(() => answers.length === 4);
    await near.close();
    await served;
    // What cannot be a request is refused at once, before the answer to what came first.
    return answers.filter(({ id }) => id !== 'hello').map(({ id, error }) => [id, error?.code]);
  }

  it('rule 19: must be texts or whole numbers in version 2', async () => {
    expect(await answersTo(2)).toEqual([
      [null, -32600],
      [null, -32600],
      [7, undefined],
    ]);
  });

  it('may be anything that JSON-RPC allows in version 1', async () => {
    expect(await answersTo(1)).toEqual([
      [null, undefined],
      [1.5, undefined],
      [7, undefined],
    ]);
  });
});
