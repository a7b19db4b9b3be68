import { type Message, RpcError } from '@parley/jsonrpc';
import { FrameDecoder } from '@parley/transports/framing';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import { TurnError } from '../../src/index.ts';
import { CWD, connectRawClient, errorOf, settle, testAgent, until } from '../raw-client.ts';

type Answer = { id: unknown; result?: unknown; error?: { code: number; message: string; data?: unknown } };

/** An agent behind a wire on which a test can put any value, and read what comes back. */
function rawWire(configure: (built: ReturnType<typeof testAgent>['built']) => void = () => {}) {
  const { built, diagnostics } = testAgent();
  built.onPrompt(async () => 'end_turn');
  configure(built);
  const [near, far] = createMemoryPair();
  const answers: Answer[] = [];
  near.onMessage((value) => answers.push(value as Answer));
  const served = built.serve(far);
  return {
    diagnostics,
    answers,
    async send(...values: unknown[]) {
      for (const value of values) void near.send(value as Message);
      await settle();
      return answers.splice(0);
    },
    async [Symbol.asyncDispose]() {
      await near.close();
      await served;
    },
  };
}

const initialize = { jsonrpc: '2.0', id: 'init', method: 'initialize', params: { protocolVersion: 1 } };

describe('messages', () => {
  it('rule 6: answers what is not JSON with -32700, and goes on', async () => {
    const { built } = testAgent();
    built.onPrompt(async () => 'end_turn');
    const [near, far] = createMemoryPair();
    let fault: Parameters<typeof far.onFault>[0] = () => {};
    far.onFault = (listener) => {
      fault = listener;
    };
    const answers: Answer[] = [];
    near.onMessage((value) => answers.push(value as Answer));
    const served = built.serve(far);
    await settle();
    const decoder = new FrameDecoder(
      { onValue: (value) => void near.send(value as Message), onFault: (each) => fault(each), onEnd: () => {} },
      { maxMessageBytes: 1000 },
    );
    decoder.write(new TextEncoder().encode(`{"jsonrpc":\n${JSON.stringify(initialize)}\n`));
    await settle();
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      ['init', undefined],
    ]);
    await near.close();
    await served;
  });

  it('rule 7: refuses a batch as a whole with one -32600', async () => {
    await using peer = rawWire();
    const answers = await peer.send([initialize, initialize], { ...initialize, id: 2 });
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32600],
      [2, undefined],
    ]);
  });

  it('rule 8: refuses what is no message with -32600', async () => {
    await using peer = rawWire();
    const answers = await peer.send(42, 'text', null, {}, { jsonrpc: '2.0', method: 7 });
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual(Array(5).fill([null, -32600]));
  });

  it('rule 9: never answers a response that nobody waits for', async () => {
    await using peer = rawWire();
    expect(await peer.send(initialize, { jsonrpc: '2.0', id: 99, result: {} })).toHaveLength(1);
    expect(peer.diagnostics.map(({ kind }) => kind)).toContain('unsolicited_response');
  });

  it('rule 10: never answers a notification, known or not, good or bad', async () => {
    await using peer = rawWire();
    const answers = await peer.send(
      initialize,
      { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'nobody' } },
      { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 5 } },
      { jsonrpc: '2.0', method: 'no/such' },
    );
    expect(answers).toHaveLength(1);
  });

  it('rule 11: keeps the id of a request in value and type', async () => {
    await using peer = rawWire();
    const ids = [1, '1', 'x', 2 ** 53 - 1, ''];
    const answers = await peer.send(...ids.map((id) => ({ jsonrpc: '2.0', id, method: 'no/such' })));
    expect(answers.map(({ id }) => id)).toEqual(ids);
  });

  it('rule 12: answers each request exactly once, with a result or an error', async () => {
    await using peer = rawWire();
    const answers = await peer.send(
      initialize,
      { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: CWD, mcpServers: [] } },
      { jsonrpc: '2.0', id: 2, method: 'session/new', params: {} },
    );
    await until(() => answers.length + peer.answers.length >= 3);
    await settle();
    const all = [...answers, ...peer.answers];
    expect(all.map(({ id }) => id).sort()).toEqual([1, 2, 'init']);
    for (const each of all) expect('result' in each !== 'error' in each).toBe(true);
  });

  it('rule 13: answers an unknown method with -32601', async () => {
    await using peer = rawWire();
    const [, answer] = await peer.send(initialize, { jsonrpc: '2.0', id: 1, method: 'session/teleport' });
    expect(answer?.error).toMatchObject({ code: -32601, data: { method: 'session/teleport' } });
  });

  it('rule 14: ignores unknown notifications, also those with an underscore', async () => {
    await using peer = rawWire();
    const answers = await peer.send(
      initialize,
      { jsonrpc: '2.0', method: '_x/y' },
      { jsonrpc: '2.0', method: 'x' },
      {
        jsonrpc: '2.0',
        id: 1,
        method: '_x',
      },
    );
    expect(answers.map(({ error }) => error?.code)).toEqual([undefined, -32601]);
  });

  it('rule 15: answers methods of its own, and hears notifications of its own', async () => {
    const heard: unknown[] = [];
    const { built } = testAgent();
    built
      .onPrompt(async () => 'end_turn')
      .onRequest('_vendor/double', ({ params }) => ({ doubled: (params as { n: number }).n * 2 }))
      .onNotification('_vendor/ping', ({ params }) => heard.push(params));
    await using client = connectRawClient(built);
    await client.initialize();
    client.notify('_vendor/ping', { at: 1 });
    expect(await client.request('_vendor/double', { n: 21 })).toEqual({ doubled: 42 });
    expect(heard).toEqual([{ at: 1 }]);
  });

  it('rule 16: answers params that do not fit with -32602 and the place, without running the handler', async () => {
    let runs = 0;
    await using peer = rawWire((built) => built.onSession(() => void runs++));
    const [, answer] = await peer.send(initialize, {
      jsonrpc: '2.0',
      id: 1,
      method: 'session/new',
      params: { cwd: 5 },
    });
    expect(answer?.error?.code).toBe(-32602);
    expect(answer?.error?.message).toContain('cwd');
    expect(runs).toBe(0);
  });

  it('rule 17: reads absent params as an empty object', async () => {
    await using peer = rawWire();
    await peer.send(initialize);
    const list = await peer.send({ jsonrpc: '2.0', id: 1, method: 'session/list' });
    await until(() => list.length + peer.answers.length > 0);
    expect([...list, ...peer.answers][0]?.result).toEqual({ sessions: [] });
  });

  it('rule 18: writes empty results as an empty object', async () => {
    const { built } = testAgent();
    built
      .onPrompt(async () => 'end_turn')
      .mode({ id: 'a', name: 'A' })
      .auth({ id: 'key', name: 'Key' }, () => {})
      .onLogout(() => {});
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    expect(await client.request('authenticate', { methodId: 'key' })).toEqual({});
    expect(await client.request('session/set_mode', { sessionId, modeId: 'a' })).toEqual({});
    expect(await client.request('session/close', { sessionId })).toEqual({});
    expect(await client.request('session/delete', { sessionId })).toEqual({});
    expect(await client.request('logout')).toEqual({});
  });

  it('rule 18: reads null as an empty result of the client', async () => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      await turn.client.writeTextFile('/a', 'text');
    });
    await using client = connectRawClient(built);
    client.connection.onRequest('fs/write_text_file', () => null);
    await client.initialize({ fs: { writeTextFile: true } });
    const { sessionId } = await client.newSession();
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
  });

  it('rule 20: answers a failing handler with -32603 and none of its text, and lives on', async () => {
    const { built, diagnostics } = testAgent();
    built.onPrompt(async (turn) => {
      if (turn.text === 'plain') throw new Error('the secret is 1234');
      if (turn.text === 'meant') throw new TurnError('The model is overloaded; try again in a minute.');
      if (turn.text === 'rpc') throw new RpcError(-32000, 'Log in first.');
      return 'end_turn';
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    const plain = await errorOf(client.prompt(sessionId, 'plain'));
    expect(plain.code).toBe(-32603);
    expect(JSON.stringify(plain)).not.toContain('1234');
    expect(await errorOf(client.prompt(sessionId, 'meant'))).toMatchObject({
      code: -32603,
      message: 'The model is overloaded; try again in a minute.',
    });
    expect(await errorOf(client.prompt(sessionId, 'rpc'))).toMatchObject({ code: -32000, message: 'Log in first.' });
    expect(await client.prompt(sessionId, 'fine')).toEqual({ stopReason: 'end_turn' });
    expect(diagnostics.filter(({ kind }) => kind === 'turn_failed')).toHaveLength(3);
    expect(diagnostics[0]?.error).toMatchObject({ message: 'the secret is 1234' });
  });

  it('rule 21: aborts what runs, and what waits for the client, when the connection closes', async () => {
    const outcomes: unknown[] = [];
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      try {
        await turn.client.readTextFile('/never/answered');
      } catch (error) {
        outcomes.push(turn.signal.aborted, (error as Error).name);
        throw error;
      }
    });
    const client = connectRawClient(built);
    client.connection.onRequest('fs/read_text_file', () => new Promise(() => {}));
    await client.initialize({ fs: { readTextFile: true } });
    const { sessionId } = await client.newSession();
    const pending = errorOf(client.prompt(sessionId, 'go'));
    await settle();
    await client.connection.close();
    await client.served;
    await pending;
    expect(outcomes).toHaveLength(2);
  });

  it('rule 22: keeps what was said out of its diagnostics', async () => {
    const { built, diagnostics } = testAgent();
    built.onPrompt(async (turn) => {
      setTimeout(() => void turn.say('canary-in-update'), 0);
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession({
      mcpServers: [{ name: 'a', command: '/bin/a', args: [], env: [{ name: 'KEY', value: 'canary-in-env' }] }],
    });
    await client.prompt(sessionId, 'canary-in-prompt');
    await errorOf(client.request('session/new', { cwd: 'canary-relative', mcpServers: [] }));
    client.notify('_unknown', { secret: 'canary-in-params' });
    await settle();
    await settle();
    expect(diagnostics.map(({ kind }) => kind)).toContain('turn_over');
    expect(JSON.stringify(diagnostics)).not.toContain('canary');
  });

  it('rule 23: puts a default in the place of a malformed optional field', async () => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => void turn.say(String(turn.client.offers.terminals)));
    await using client = connectRawClient(built);
    await client.request('initialize', {
      protocolVersion: 1,
      clientCapabilities: { terminal: 'yes', fs: 7 },
      clientInfo: 3,
    });
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'go');
    expect(client.said()).toBe('false');
  });

  it('rule 24: ignores unknown fields, and hands _meta through', async () => {
    const seen: unknown[] = [];
    const { built } = testAgent();
    built
      .onSession(({ meta }) => void seen.push(meta))
      .onPrompt(async (turn) => {
        seen.push(turn.meta);
        void turn.update({ type: 'plan', entries: [], meta: { 'x/y': 1 } });
        return { stopReason: 'end_turn', meta: { 'x/cost': 2 } };
      });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession({ _meta: { a: 1 }, surprise: true });
    const answer = await client.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: 'hi' }],
      _meta: { b: 2 },
      more: [],
    });
    expect(seen).toEqual([{ a: 1 }, { b: 2 }]);
    expect(answer).toEqual({ stopReason: 'end_turn', _meta: { 'x/cost': 2 } });
    expect(client.updates()).toContainEqual({ sessionUpdate: 'plan', entries: [], _meta: { 'x/y': 1 } });
  });

  it('rule 25: keeps trace context as it came', async () => {
    const trace = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=1',
      baggage: 'k=v',
    };
    let seen: unknown;
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      seen = turn.meta;
      void turn.update({
        type: 'message_chunk',
        speaker: 'agent',
        content: { type: 'text', text: 'x' },
        meta: { ...turn.meta },
      });
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hi' }], _meta: trace });
    expect(seen).toEqual(trace);
    expect(client.updates()[0]?._meta).toEqual(trace);
  });
});
