import type { SessionUpdate } from '@parley/protocol';
import type { SessionStore } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CWD, connectRawClient, errorOf, type RawClient, settle, testAgent, until } from '../../test/raw-client.ts';
import type { AgentOptions, Turn } from '../index.ts';

/** What a turn can do, as data, so that a test can draw any sequence of it. */
const step = fc.oneof(
  fc.record({ do: fc.constant('say' as const), text: fc.string({ maxLength: 20 }) }),
  fc.record({ do: fc.constant('think' as const), text: fc.string({ maxLength: 20 }) }),
  fc.record({ do: fc.constant('tool' as const), text: fc.string({ maxLength: 20 }) }),
  fc.record({ do: fc.constant('plan' as const), text: fc.string({ maxLength: 20 }) }),
  fc.record({ do: fc.constant('usage' as const), text: fc.constant('') }),
  fc.record({ do: fc.constant('wait' as const), text: fc.constant('') }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function perform(turn: Turn, steps: readonly Step[]): Promise<void> {
  for (const { do: what, text } of steps) {
    if (what === 'say') await turn.say(text);
    if (what === 'think') await turn.think(text);
    if (what === 'tool') turn.toolCall({ title: text, rawInput: { text } }).complete({ text });
    if (what === 'plan') await turn.plan([{ content: text, priority: 'low', status: 'pending' }]);
    if (what === 'usage') await turn.usage({ used: 1, size: 2 });
    if (what === 'wait') await settle();
  }
}

/** The same events, with the pieces of each text put together: how much a piece holds means nothing. */
function folded(updates: readonly SessionUpdate[]): unknown[] {
  const result: SessionUpdate[] = [];
  for (const update of updates) {
    const last = result.at(-1);
    if (
      (update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk') &&
      last?.sessionUpdate === update.sessionUpdate &&
      last.messageId === update.messageId &&
      last.content.type === 'text' &&
      update.content.type === 'text'
    ) {
      result[result.length - 1] = { ...last, content: { type: 'text', text: last.content.text + update.content.text } };
    } else {
      result.push(update);
    }
  }
  return result;
}

const stores: [string, () => SessionStore | undefined][] = [
  ['the memory of the agent', () => undefined],
  ['a store that must be written first', () => memoryStore({ isShared: true })],
];

describe.each(stores)('replay from %s', (_, createStore) => {
  async function record(turns: readonly (readonly Step[])[], options: Partial<AgentOptions> = {}) {
    const { built } = testAgent(options);
    let index = 0;
    built.onPrompt(async (turn) => perform(turn, turns[index++] ?? []));
    const client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    for (const [turn] of turns.entries()) await client.prompt(sessionId, `prompt ${turn}`);
    return { built, client, sessionId };
  }

  async function load(client: RawClient, sessionId: string): Promise<SessionUpdate[]> {
    await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    return client.updates(sessionId);
  }

  it('gives the same events as those that happened, whatever they were', async () => {
    const check = fc.asyncProperty(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 5 }), async (turns) => {
      const store = createStore();
      const { built, client, sessionId } = await record(turns, store ? { store } : {});
      const live = client.updates(sessionId);
      await using second = connectRawClient(built);
      await second.initialize();
      const replayed = await load(second, sessionId);
      const isPrompt = ({ sessionUpdate }: SessionUpdate): boolean => sessionUpdate === 'user_message_chunk';
      expect(folded(replayed.filter((update) => !isPrompt(update)))).toEqual(folded(live));
      expect(replayed.filter(isPrompt)).toHaveLength(turns.length);
      if (store) expect(replayed.filter((update) => !isPrompt(update))).toEqual(live);
      await client[Symbol.asyncDispose]();
    });
    await fc.assert(check, { seed: 61, numRuns: 60 });
  });

  it('is the same again and again, also on the connection that has the session open', async () => {
    const store = createStore();
    const { client, sessionId } = await record(
      [[{ do: 'say', text: 'a' }], [{ do: 'tool', text: 'b' }]],
      store ? { store } : {},
    );
    client.received.splice(0);
    const first = await load(client, sessionId);
    client.received.splice(0);
    expect(await load(client, sessionId)).toEqual(first);
    expect(first.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'user_message_chunk',
      'agent_message_chunk',
      'user_message_chunk',
      'tool_call',
      'tool_call_update',
    ]);
    await client[Symbol.asyncDispose]();
  });

  it('has no gap and no double when the session goes on meanwhile', async () => {
    const store = createStore();
    const { built } = testAgent(store ? { store } : {});
    let isStopped = false;
    let count = 0;
    built.onPrompt(async (turn) => {
      while (!isStopped) {
        await turn.say(`${count++},`);
        if (count % 7 === 0) await settle();
      }
    });
    await using first = connectRawClient(built);
    await first.initialize();
    const { sessionId } = await first.newSession();
    const running = first.prompt(sessionId, 'count');
    await until(() => count > 50);
    const viewers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const viewer = connectRawClient(built);
        await viewer.initialize();
        await load(viewer, sessionId);
        return viewer;
      }),
    );
    await until(() => count > 300);
    isStopped = true;
    await running;
    await settle();
    const expected = Array.from({ length: count }, (__, index) => `${index},`).join('');
    expect(first.said()).toBe(expected);
    for (const viewer of viewers) {
      expect(viewer.said()).toBe(expected);
      await viewer[Symbol.asyncDispose]();
    }
  });

  it('can be withdrawn half way, and leaves nothing open', async () => {
    const store = createStore();
    const steps = Array.from({ length: 2000 }, (__, index): Step => ({ do: 'plan', text: `${index}` }));
    const { built, client, sessionId } = await record([steps], store ? { store } : {});
    await client[Symbol.asyncDispose]();
    await using second = connectRawClient(built);
    await second.initialize();
    const controller = new AbortController();
    second.connection.onNotification('session/update', () => controller.abort());
    const params = { sessionId, cwd: CWD, mcpServers: [] };
    await errorOf(second.request('session/load', params, { signal: controller.signal }));
    await until(() => (second.messages.at(-1) as { error?: { code: number } }).error !== undefined);
    expect(second.messages.at(-1)).toMatchObject({ error: { code: -32800 } });
    expect(await errorOf(second.prompt(sessionId, 'hi'))).toMatchObject({ code: -32002 });
  });
});

describe('a prompt in a session that several clients have open', () => {
  it('is heard by the others, and its questions go to the one who asked', async () => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => void turn.say(turn.client.info?.name ?? ''));
    await using first = connectRawClient(built);
    await first.initialize();
    const { sessionId } = await first.newSession();
    await using second = connectRawClient(built);
    await second.request('initialize', { protocolVersion: 1, clientInfo: { name: 'second', version: '1' } });
    await second.request('session/resume', { sessionId, cwd: CWD });
    await second.prompt(sessionId, 'who?');
    await until(() => first.updates().length === 2);
    expect(first.updates()).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { text: 'who?' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'second' } },
    ]);
    expect(second.updates()).toHaveLength(1);
    await second.request('session/close', { sessionId });
    expect(await first.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' });
  });
});
