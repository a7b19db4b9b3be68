import { memoryStore } from '@parley/store/memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../src/index.ts';
import { CWD, connectRawClient, errorOf, type RawClient, type Received, testAgent, until } from './raw-client.ts';

import { connectSlowClient } from './slow-client.ts';

const CURSOR = 'parley/cursor';

/** An agent that does what a prompt lists, with a pause wherever it says so. */
function scriptedAgent(options: Parameters<typeof testAgent>[0]): Agent {
  const { built } = testAgent(options);
  return built.onPrompt(async (turn) => {
    for (const step of JSON.parse(turn.text) as readonly string[]) {
      if (step === 'pause') await new Promise((resolve) => setTimeout(resolve, 0));
      else if (step === 'call') {
        const call = turn.toolCall({ title: 'Look' });
        call.start();
        await Promise.resolve();
        call.complete({ text: 'seen' });
      } else if (step === 'plan') await turn.plan([{ content: 'a step', priority: 'low', status: 'pending' }]);
      else await turn.say(step);
    }
  });
}

async function connect(built: Agent): Promise<RawClient> {
  const client = connectRawClient(built, { whenClientLeaves: 'keep' });
  expect(await client.initialize({}, { [CURSOR]: true })).toMatchObject({ _meta: { [CURSOR]: true } });
  return client;
}

const cursorOf = ({ _meta }: Received): number | undefined => _meta?.[CURSOR] as number | undefined;

const isEnd = ({ update }: Received): boolean => {
  const { _meta } = update as { readonly _meta?: Readonly<Record<string, unknown>> };
  return (_meta?.['parley/state'] as { readonly state?: string } | undefined)?.state === 'idle';
};

const steps = fc.array(fc.constantFrom('one ', 'two ', 'call', 'plan', 'pause'), { minLength: 1, maxLength: 30 });
/** After how many updates each connection is cut off; the first tells that the turn has begun. */
const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 });

describe.each([
  ['in memory', () => ({})],
  ['in a store that is shared', () => ({ store: memoryStore({ isShared: true }) })],
])('a client that goes on from its cursor, %s', (_name, options) => {
  it.each(['session/load', 'session/resume'])('by %s misses nothing and is told nothing twice', async (method) => {
    await fc.assert(
      fc.asyncProperty(steps, cuts, async (script, lengths) => {
        const built = scriptedAgent(options());
        let client = await connect(built);
        const { sessionId } = await client.newSession();
        const seen: Received[] = [];
        client.prompt(sessionId, JSON.stringify(script)).catch(() => {});
        for (const length of lengths) {
          await until(() => client.received.length >= length || [...seen, ...client.received].some(isEnd));
          await client[Symbol.asyncDispose]();
          seen.push(...client.received);
          client = await connect(built);
          const after = seen.map(cursorOf).findLast((cursor) => cursor !== undefined) ?? 0;
          await client.request(method, { sessionId, cwd: CWD, mcpServers: [], _meta: { [CURSOR]: after } });
        }
        await until(() => [...seen, ...client.received].some(isEnd));
        seen.push(...client.received);
        await client[Symbol.asyncDispose]();

        const fresh = await connect(built);
        await fresh.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
        // The client that prompts is not told what it said itself; whoever comes later is.
        const isEcho = ({ update }: Received): boolean => update.sessionUpdate === 'user_message_chunk';
        const whole = fresh.received.filter((each) => !isEcho(each));
        expect(seen.filter((each) => !isEcho(each))).toEqual(whole);
        await fresh[Symbol.asyncDispose]();
      }),
      { numRuns: 40 },
    );
  });

  it('is refused a cursor that is beyond the end, or none', async () => {
    const built = scriptedAgent(options());
    await using client = await connect(built);
    const { sessionId } = await client.newSession();
    for (const cursor of [-1, 1.5, 'x', 1000]) {
      const params = { sessionId, cwd: CWD, mcpServers: [], _meta: { [CURSOR]: cursor } };
      expect((await errorOf(client.request('session/load', params))).code).toBe(-32602);
    }
  });
});

describe('the numbers of events, with those of when turns begin and end,', () => {
  const load = (client: RawClient, sessionId: string): Promise<unknown> =>
    client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
  const cursors = (client: RawClient): number[] => client.received.flatMap((each) => cursorOf(each) ?? []);
  const increasing = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);

  it('never go back or come twice for a viewer that has fallen behind', async () => {
    const store = memoryStore({ isShared: true });
    const built = scriptedAgent({ store, limits: { maxBacklogEvents: 10 } });
    await using first = await connect(built);
    const { sessionId } = await first.newSession();
    await using second = await connectSlowClient(built, { [CURSOR]: true });
    await load(second, sessionId);
    second.stopReading();
    await first.prompt(sessionId, JSON.stringify(Array.from({ length: 100 }, () => 'call')));
    second.readAgain();
    await first.prompt(sessionId, '["one"]');
    const head = await store.log().head(sessionId);
    await until(() => cursors(second).includes(head));
    expect(cursors(second)).toEqual(increasing(cursors(second)));
    expect(second.received.filter(isEnd)).toHaveLength(2);
  });

  it('come once for a turn that a lost process has left open, also to the client that finds it', async () => {
    const store = memoryStore({ isShared: true });
    const built = scriptedAgent({ store });
    const log = store.log();
    await log.create({ id: 'left', cwd: CWD });
    await log.append('left', [{ kind: 'turn_start', body: { turnId: 'lost' } }]);
    await using first = await connect(built);
    await using second = await connect(built);
    await Promise.all([load(first, 'left'), load(second, 'left')]);
    await first.prompt('left', '["one"]');
    const head = await log.head('left');
    for (const client of [first, second]) {
      await until(() => cursors(client).includes(head));
      expect(cursors(client)).toEqual(increasing(cursors(client)));
      expect(client.received.filter(isEnd)).toHaveLength(2);
    }
  });
});

describe('a client that asks for no cursors', () => {
  it('gets none, and hears nothing of when turns begin and end', async () => {
    const built = scriptedAgent({});
    await using client = connectRawClient(built);
    expect(await client.initialize()).not.toHaveProperty('_meta');
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, '["one"]');
    expect(client.received.map(({ _meta }) => _meta)).toEqual([undefined]);
  });
});
