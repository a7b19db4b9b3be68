import { memoryStore } from '@parley/store/memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../src/index.ts';
import { CWD, settle, testAgent, until } from './raw-client.ts';
import { connectSlowClient, HIGH_WATER, names, plansOf, type SlowClient } from './slow-client.ts';

const SETUP = { cwd: CWD, mcpServers: [] };

/** What the clients of two agents can do in a session that both have open, as data, so that a test can draw any of it. */
const client = fc.integer({ min: 0, max: 3 });
const step = fc.oneof(
  fc.record({ do: fc.constant('prompt' as const), client, count: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ do: fc.constant('load' as const), client }),
  fc.record({ do: fc.constant('stop reading' as const), client }),
  fc.record({ do: fc.constant('read again' as const), client }),
  fc.record({ do: fc.constant('cancel' as const), client }),
  fc.record({ do: fc.constant('wait' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('two agents that share a store', () => {
  it('show all their clients the same events in the same order, whatever these do', async () => {
    const check = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const store = memoryStore({ isShared: true });
      const start = (name: string): Agent => {
        const { built } = testAgent({ store, limits: { maxBacklogEvents: 3 } });
        let told = 0;
        return built.onPrompt(async (turn) => {
          for (let index = 0; index < Number(turn.text) && !turn.signal.aborted; index++) {
            await turn.plan([{ content: `${name}${told++}`, priority: 'low', status: 'pending' }]);
            if (index % 11 === 0) await settle();
          }
        });
      };
      const agents = [start('a'), start('b')] as const;
      const clients = await Promise.all([...agents, ...agents].map((each) => connectSlowClient(each)));
      const [first] = clients;
      const { sessionId } = (await first?.newSession()) ?? { sessionId: '' };
      const load = (each: SlowClient) => each.request('session/load', { sessionId, ...SETUP });
      for (const each of clients) await load(each);

      const work: Promise<unknown>[] = [];
      const loaded = new Set<SlowClient>();
      const perform = async (next: Step): Promise<void> => {
        if (next.do === 'wait') return settle();
        const one = clients[next.client];
        if (!one) return;
        if (next.do === 'load') {
          work.push(load(one));
          loaded.add(one);
        }
        if (next.do === 'stop reading') one.stopReading();
        if (next.do === 'read again') one.readAgain();
        if (next.do === 'cancel') one.notify('session/cancel', { sessionId });
        // It may be refused, while another turn runs here or there.
        if (next.do === 'prompt') work.push(one.prompt(sessionId, `${next.count}`).catch(() => {}));
        await Promise.resolve();
      };
      for (const next of steps) await perform(next);
      for (const each of clients) each.readAgain();
      await Promise.all(work);

      const expected: string[] = [];
      for await (const { kind, body } of store.log().read(sessionId)) {
        if (kind === 'plan') expected.push((body as { entries: [{ content: string }] }).entries[0].content);
      }
      for (const each of clients) {
        await until(() => plansOf(each).length >= expected.length);
        // One that has loaded again has heard some of it before.
        const heard = plansOf(each);
        expect(loaded.has(each) ? heard.slice(heard.length - expected.length) : heard).toEqual(expected);
      }
      for (const each of clients) await each[Symbol.asyncDispose]();
    });
    await fc.assert(check, { seed: 7, numRuns: 60 });
  }, 60_000);

  it('let a second client in where the first does not read what the other agent does', async () => {
    const store = memoryStore({ isShared: true });
    const start = (): Agent =>
      testAgent({ store }).built.onPrompt(async (turn) => {
        for (const content of names(Number(turn.text)))
          await turn.plan([{ content, priority: 'low', status: 'pending' }]);
      });
    const here = start();
    await using elsewhere = await connectSlowClient(start());
    await using first = await connectSlowClient(here);
    await using second = await connectSlowClient(here);
    const { sessionId } = await elsewhere.newSession();
    await first.request('session/resume', { sessionId, cwd: CWD });
    first.stopReading();
    await elsewhere.prompt(sessionId, '300');
    await until(() => first.sent() > HIGH_WATER);
    await second.request('session/resume', { sessionId, cwd: CWD });
    await elsewhere.prompt(sessionId, '5');
    await until(() => plansOf(second).length === 5);
    expect(plansOf(second)).toEqual(names(5));
    first.readAgain();
    await until(() => plansOf(first).length === 305);
    expect(plansOf(first)).toEqual([...names(300), ...names(5)]);
  });
});
