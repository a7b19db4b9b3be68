import type { SessionStore } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import { connectRawClient, createRawClient, errorOf, settle, testAgent, until } from '../test/raw-client.ts';
import { type Agent, agent } from './index.ts';

describe('an agent', () => {
  it('answers a prompt with what its handler says', async () => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      await turn.say(`You said: ${turn.text}`);
      return 'end_turn';
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    expect(await client.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
    expect(client.said(sessionId)).toBe('You said: hello');
  });

  it('serves many connections at once, each with sessions of its own', async () => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      await settle();
      void turn.say(turn.text);
    });
    const clients = Array.from({ length: 20 }, () => connectRawClient(built));
    await Promise.all(
      clients.map(async (client, index) => {
        await client.initialize();
        const { sessionId } = await client.newSession();
        await client.prompt(sessionId, `for ${index}`);
      }),
    );
    expect(clients.map((client) => client.said())).toEqual(clients.map((_, index) => `for ${index}`));
    for (const client of clients) await client[Symbol.asyncDispose]();
  });

  it('stops serving when its signal aborts, after everything is closed', async () => {
    const controller = new AbortController();
    const order: string[] = [];
    const { built } = testAgent();
    built
      .onSession(() => () => void order.push('session closed'))
      .onPrompt(async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await settle();
        order.push('turn ended');
      });
    const client = connectRawClient(built, { signal: controller.signal });
    await client.initialize();
    const { sessionId } = await client.newSession();
    const prompt = errorOf(client.prompt(sessionId, 'go'));
    await settle();
    controller.abort();
    expect(await client.served).toEqual({ kind: 'closed' });
    order.push('served');
    await prompt;
    expect(order).toEqual(['turn ended', 'session closed', 'served']);
    expect(await connectRawClient(built, { signal: AbortSignal.abort() }).served).toEqual({ kind: 'closed' });
  });

  it('closes a session whose client was gone before it was open', async () => {
    let finish = (): void => {};
    let isClosed = false;
    const { built } = testAgent({ limits: { cancelGraceMs: 20 } });
    built
      .onSession(async ({ meta }) => {
        if (meta?.slow) {
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
        }
        return () => {
          isClosed = true;
        };
      })
      .onPrompt(async () => {});
    const client = connectRawClient(built);
    await client.initialize();
    const opening = errorOf(client.newSession({ _meta: { slow: true } }));
    await settle();
    for (let turns = 0; turns < 10; turns++) await settle();
    await client.connection.close();
    await opening;
    await client.served;
    expect(isClosed).toBe(false);
    finish();
    await until(() => isClosed);
  });

  it('keeps the order of a close and a load that come right behind each other', async () => {
    const { built } = testAgent();
    await using client = connectRawClient(built.onPrompt(async (turn) => void turn.say('hi')));
    await client.initialize();
    const { sessionId } = await client.newSession();
    const setup = { sessionId, cwd: '/proj/project', mcpServers: [] };
    const closing = client.request('session/close', { sessionId });
    const refused = errorOf(client.prompt(sessionId, 'too late'));
    const loading = client.request('session/load', setup);
    expect(await closing).toEqual({});
    expect(await refused).toMatchObject({ code: -32002 });
    await loading;
    expect(await client.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' });
  });

  it('lets the author wait for a client that reads slowly', async () => {
    const { built } = testAgent();
    let waits = 0;
    let said = 0;
    built.onPrompt(async (turn) => {
      for (; said < 5000; said++) {
        const slow = turn.say('x');
        if (slow) {
          waits++;
          await slow;
        }
      }
    });
    const [near, far] = createMemoryPair({ highWaterMessages: 10 });
    const served = built.serve(far);
    const messages: { id?: number; result?: { sessionId?: string } }[] = [];
    near.onMessage((message) => messages.push(message as never));
    const send = (id: number, method: string, params: object) => void near.send({ jsonrpc: '2.0', id, method, params });
    send(1, 'initialize', { protocolVersion: 1 });
    send(2, 'session/new', { cwd: '/', mcpServers: [] });
    await until(() => messages.length === 2);
    near.pause();
    send(3, 'session/prompt', { sessionId: messages[1]?.result?.sessionId, prompt: [{ type: 'text', text: 'hi' }] });
    for (let turns = 0; turns < 10; turns++) await settle();
    expect(said).toBeLessThan(50);
    near.resume();
    await until(() => messages.at(-1)?.id === 3);
    expect(messages).toHaveLength(5003);
    expect(waits).toBeGreaterThan(0);
    await near.close();
    await served;
  });

  it('lets the log keep up with an author who never has to wait for the client', async () => {
    const { built } = testAgent();
    const rawOutput = 'x'.repeat(4096);
    const count = 20_000;
    built.onPrompt(async (turn) => {
      for (let sent = 0; sent < count; sent++) {
        const slow = turn.update({ type: 'tool_call', toolCallId: 'call_1', rawOutput });
        if (slow) await slow;
      }
    });
    const [near, far] = createMemoryPair({ highWaterMessages: Number.POSITIVE_INFINITY });
    await using client = createRawClient(near, built.serve(far));
    await client.initialize();
    const { sessionId } = await client.newSession();
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
    expect(client.received).toHaveLength(count);
  });

  it('refuses more sessions on a connection than it may have open', async () => {
    const { built } = testAgent({ limits: { maxOpenSessions: 2 } });
    await using client = connectRawClient(built.onPrompt(async () => {}));
    await client.initialize();
    const { sessionId } = await client.newSession();
    await client.newSession();
    expect(await errorOf(client.newSession())).toMatchObject({ code: -32600 });
    await client.request('session/close', { sessionId });
    expect(await client.newSession()).toHaveProperty('sessionId');
    await using hasty = connectRawClient(built);
    await hasty.initialize();
    const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => hasty.newSession()));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });
});

describe('putting an agent together', () => {
  const fresh = (): Agent => agent({ name: 'a', version: '1' });

  it.each<[string, (built: Agent) => void, string]>([
    ['a mode twice', (built) => built.mode({ id: 'x', name: 'X' }).mode({ id: 'x', name: 'Y' }), 'already a mode "x"'],
    ['a mode without an id', (built) => built.mode({ id: '', name: 'X' }), 'needs an id'],
    ['an option called mode', (built) => built.option({ id: 'mode', name: 'M', default: true }), '.mode()'],
    ['an option without values', (built) => built.option({ id: 'x', name: 'X', values: [] }), 'at least one value'],
    [
      'a default that is no value',
      (built) => built.option({ id: 'x', name: 'X', values: ['a'], default: 'b' }),
      'none of its values',
    ],
    ['a command with a slash', (built) => built.command({ name: '/x', description: '' }), 'one word'],
    ['a login without a handler', (built) => built.auth({ id: 'x', name: 'X' }), 'needs a handler'],
    ['a method of the protocol', (built) => built.onRequest('session/new' as '_x', () => {}), 'begin with "_"'],
  ])('refuses %s, and says why', (_, configure, message) => {
    expect(() => configure(fresh())).toThrow(message);
  });

  it('refuses to serve without a prompt handler', async () => {
    const error = await errorOf(fresh().serve(createMemoryPair()[0]));
    expect(error).toMatchObject({ code: 'invalid_definition', message: expect.stringContaining('.onPrompt()') });
  });

  it('refuses to be changed once it serves', async () => {
    const built = fresh().onPrompt(async () => {});
    await using client = connectRawClient(built);
    await client.initialize();
    expect(() => built.mode({ id: 'late', name: 'Late' })).toThrow('before .serve()');
  });

  it('groups the values of an option, and knows them all', async () => {
    const group = (name: string, ...values: string[]) => ({
      group: name,
      name,
      options: values.map((value) => ({ value, name: value })),
    });
    const built = fresh()
      .option({ id: 'model', name: 'Model', values: [group('fast', 'a', 'b'), group('good', 'c')], default: 'c' })
      .onPrompt(async () => {});
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId, configOptions } = await client.newSession();
    expect(configOptions?.[0]).toMatchObject({ currentValue: 'c', options: [{ group: 'fast' }, { group: 'good' }] });
    const set = (value: string) => client.request('session/set_config_option', { sessionId, configId: 'model', value });
    expect(await set('b')).toMatchObject({ configOptions: [{ currentValue: 'b' }] });
    expect(await errorOf(set('fast'))).toMatchObject({ code: -32602 });
  });
});

describe('a store that is opened by a function', () => {
  it('is opened by the first session, once, and tried again when that failed', async () => {
    let openings = 0;
    const store = (): SessionStore => {
      openings += 1;
      if (openings === 1) throw new Error('the disk is not there yet');
      return memoryStore();
    };
    const { built } = testAgent({ store });
    await using client = connectRawClient(built.onPrompt(async () => 'end_turn'));
    await client.initialize();
    expect(openings).toBe(0);
    await expect(client.newSession()).rejects.toThrow();
    await client.newSession();
    await client.newSession();
    expect(openings).toBe(2);
  });
});
