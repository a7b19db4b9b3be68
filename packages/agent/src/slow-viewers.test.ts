import { memoryStore, type SessionStore } from '@parley/store';
import { describe, expect, it } from 'vitest';
import { CWD, errorOf, settle, testAgent, until } from '../test/raw-client.ts';
import { connectSlowClient, HIGH_WATER, names, plansOf } from '../test/slow-client.ts';
import type { Agent, AgentOptions, Session } from './index.ts';

const SETUP = { cwd: CWD, mcpServers: [] };

const stores: [string, () => SessionStore | undefined][] = [
  ['the log in memory', () => undefined],
  ['a store', () => memoryStore()],
];

describe.each(stores)('a session with several clients and %s', (_, createStore) => {
  /** An agent that tells as many plans as the prompt says, and waits whenever it is asked to. */
  function countingAgent(options: Partial<AgentOptions> = {}) {
    const store = createStore();
    const { built, diagnostics } = testAgent({ ...(store && { store }), ...options });
    const progress = { told: 0, sessions: [] as Session[] };
    built.onSession(({ session }) => void progress.sessions.push(session));
    built.onPrompt(async (turn) => {
      progress.told = 0;
      for (const name of names(Number(turn.text))) {
        if (turn.signal.aborted) return;
        await turn.plan([{ content: name, priority: 'low', status: 'pending' }]);
        progress.told += 1;
      }
    });
    return { built, diagnostics, progress };
  }

  async function openTwice(served: Agent) {
    const first = await connectSlowClient(served);
    const { sessionId } = await first.newSession();
    const second = await connectSlowClient(served);
    await second.request('session/load', { sessionId, ...SETUP });
    return { first, second, sessionId };
  }

  it('goes on when one of them does not read, and tells it everything once it does', async () => {
    const { built, diagnostics } = countingAgent({ limits: { maxBacklogEvents: 50 } });
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    second.stopReading();
    const before = second.sent();
    expect(await first.prompt(sessionId, '2000')).toEqual({ stopReason: 'end_turn' });
    expect(await first.prompt(sessionId, '100')).toEqual({ stopReason: 'end_turn' });
    const expected = [...names(2000), ...names(100)];
    expect(plansOf(first)).toEqual(expected);
    // Nothing piles up for it: what it does not read stays in the log.
    expect(second.sent() - before).toBeLessThanOrEqual(HIGH_WATER + 1);
    expect(diagnostics).toMatchObject([{ kind: 'viewer_behind', sessionId }]);

    second.readAgain();
    await until(() => plansOf(second).length === expected.length);
    expect(plansOf(second)).toEqual(expected);
    await first.prompt(sessionId, '5');
    await until(() => plansOf(second).length === expected.length + 5);
    expect(plansOf(second)).toEqual([...expected, ...names(5)]);
    expect(diagnostics).toHaveLength(1);
  });

  it('keeps a little for one that pauses, also when a single event is too large for that', async () => {
    const { built, diagnostics } = countingAgent({ limits: { maxBacklogBytes: 4096 } });
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    second.stopReading();
    await first.prompt(sessionId, '20');
    second.readAgain();
    await until(() => plansOf(second).length === 20);
    expect(diagnostics).toEqual([]);
    second.stopReading();
    await first.prompt(sessionId, '200');
    expect(diagnostics).toMatchObject([{ kind: 'viewer_behind' }]);
    second.readAgain();
    await until(() => plansOf(second).length === 220);
    expect(plansOf(second)).toEqual([...names(20), ...names(200)]);
  });

  it('tells one that was behind the commands of now, though they are in no log', async () => {
    const { built, progress } = countingAgent({ limits: { maxBacklogEvents: 10 } });
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    second.stopReading();
    await first.prompt(sessionId, '100');
    progress.sessions[0]?.setCommands([{ name: 'old', description: '' }]);
    progress.sessions[0]?.setCommands([{ name: 'new', description: '' }]);
    second.readAgain();
    const commands = () =>
      second.updates().filter(({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
    await until(() => commands().length > 0);
    expect(commands()).toHaveLength(1);
    expect(plansOf(second)).toEqual(names(100));
    expect(second.updates().slice(-1)).toEqual([
      { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'new', description: '' }] },
    ]);
  });

  it('waits for the client that sent the prompt, whatever the others do', async () => {
    const { built, progress, diagnostics } = countingAgent();
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    first.stopReading();
    const answer = first.prompt(sessionId, '1000');
    await until(() => progress.told >= HIGH_WATER);
    for (let turns = 0; turns < 20; turns++) await settle();
    const { told } = progress;
    expect(told).toBeLessThan(100);
    for (let turns = 0; turns < 20; turns++) await settle();
    expect(progress.told).toBe(told);
    expect(plansOf(second).length).toBeGreaterThan(0);
    first.readAgain();
    expect(await answer).toEqual({ stopReason: 'end_turn' });
    expect(plansOf(first)).toEqual(names(1000));
    await until(() => plansOf(second).length === 1000);
    expect(diagnostics).toEqual([]);
  });

  it('is cancelled while its client does not read, and answers when it does', async () => {
    const { built, progress } = countingAgent();
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    first.stopReading();
    const answer = first.prompt(sessionId, '1000');
    await until(() => progress.told >= HIGH_WATER);
    second.notify('session/cancel', { sessionId });
    first.readAgain();
    expect(await answer).toEqual({ stopReason: 'cancelled' });
    expect(await second.prompt(sessionId, '3')).toEqual({ stopReason: 'end_turn' });
  });

  it('runs the prompt of one that is behind when it has seen everything before', async () => {
    const { built } = countingAgent({ limits: { maxBacklogEvents: 20 } });
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    second.stopReading();
    await first.prompt(sessionId, '300');
    const answer = second.prompt(sessionId, '7');
    for (let turns = 0; turns < 10; turns++) await settle();
    expect(plansOf(first)).toHaveLength(300);
    second.readAgain();
    await answer;
    expect(plansOf(second)).toEqual([...names(300), ...names(7)]);
    await until(() => plansOf(first).length === 307);
  });

  it('lets one that is behind cancel its prompt, and leave', async () => {
    const { built, progress } = countingAgent({ limits: { maxBacklogEvents: 20 } });
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    second.stopReading();
    await first.prompt(sessionId, '300');
    const answer = second.prompt(sessionId, '7');
    first.notify('session/cancel', { sessionId });
    await until(() => !progress.sessions[0]?.isRunning);
    expect(await first.prompt(sessionId, '2')).toEqual({ stopReason: 'end_turn' });
    second.readAgain();
    expect(await answer).toEqual({ stopReason: 'cancelled' });
    second.stopReading();
    const running = first.prompt(sessionId, '500');
    await second[Symbol.asyncDispose]();
    expect(await running).toEqual({ stopReason: 'end_turn' });
    expect(plansOf(first)).toEqual([...names(300), ...names(2), ...names(500)]);
  });

  it('can be loaded anew by one that is behind, which is told nothing twice', async () => {
    const { built } = countingAgent({ limits: { maxBacklogEvents: 20 } });
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    second.stopReading();
    await first.prompt(sessionId, '300');
    const loaded = second.request('session/load', { sessionId, ...SETUP });
    second.readAgain();
    await loaded;
    // Some of it had been sent when it stopped reading; from there on it hears everything from the beginning.
    const heard = plansOf(second);
    expect(heard.slice(-300)).toEqual(names(300));
    expect(heard.length).toBeLessThanOrEqual(300 + HIGH_WATER + 1);
    await first.prompt(sessionId, '4');
    await until(() => plansOf(second).length === heard.length + 4);
    expect(plansOf(second).slice(-4)).toEqual(names(4));
  });

  it('can be opened and closed by others while one does not read what it loads', async () => {
    const { built } = countingAgent();
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    await first.prompt(sessionId, '300');
    await using third = await connectSlowClient(built);
    third.stopReading();
    const loading = third.request('session/load', { sessionId, ...SETUP });
    await until(() => third.sent() > HIGH_WATER);
    await second.request('session/close', { sessionId });
    second.received.length = 0;
    await second.request('session/load', { sessionId, ...SETUP });
    expect(plansOf(second)).toEqual(names(300));
    await first.request('session/close', { sessionId });
    await first.request('session/resume', { sessionId, cwd: CWD });
    await first.prompt(sessionId, '5');
    third.readAgain();
    await loading;
    await until(() => plansOf(third).length === 305);
    expect(plansOf(third)).toEqual([...names(300), ...names(5)]);
  });

  it('is not found by one that loads it while it is deleted', async () => {
    const { built } = countingAgent();
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    await first.prompt(sessionId, '300');
    second.stopReading();
    const loading = errorOf(second.request('session/load', { sessionId, ...SETUP }));
    const before = second.sent();
    await until(() => second.sent() > before);
    await first.request('session/delete', { sessionId });
    second.readAgain();
    expect(await loading).toMatchObject({ code: -32002, data: { sessionId } });
  });

  it('is loaded twice at once by one client, and told twice, one after the other', async () => {
    const { built } = countingAgent();
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    await first.prompt(sessionId, '100');
    await until(() => plansOf(second).length === 100);
    second.received.length = 0;
    const load = () => second.request('session/load', { sessionId, ...SETUP });
    await Promise.all([load(), load()]);
    expect(plansOf(second)).toEqual([...names(100), ...names(100)]);
    await first.prompt(sessionId, '3');
    await until(() => plansOf(second).length === 203);
  });

  it('is no longer open for a client that withdraws its load half way, until it loads again', async () => {
    const { built } = countingAgent();
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    await first.prompt(sessionId, '300');
    await until(() => plansOf(second).length === 300);
    const controller = new AbortController();
    second.connection.onNotification('session/update', () => controller.abort());
    const loading = second.request('session/load', { sessionId, ...SETUP }, { signal: controller.signal });
    await errorOf(loading);
    await until(() => (second.messages.at(-1) as { error?: unknown }).error !== undefined);
    expect(await errorOf(second.prompt(sessionId, '1'))).toMatchObject({ code: -32002, data: { sessionId } });
    await second.request('session/load', { sessionId, ...SETUP });
    expect(await second.prompt(sessionId, '1')).toEqual({ stopReason: 'end_turn' });
    expect(plansOf(first)).toHaveLength(301);
  });

  it('is answered behind all updates, also when its client loads the session in the midst of its turn', async () => {
    const { built, progress } = countingAgent({ limits: { maxBacklogEvents: 20 } });
    const { first, second, sessionId } = await openTwice(built);
    await using _first = first;
    await using _second = second;
    const answer = first.prompt(sessionId, '3000').then(() => plansOf(first).at(-1));
    await until(() => progress.told > 100);
    await first.request('session/load', { sessionId, ...SETUP });
    expect(await answer).toBe('2999');
    const last = plansOf(first).lastIndexOf('0');
    expect(plansOf(first).slice(last)).toEqual(names(3000));
  });

  it('paces updates outside of turns by a client that is alone, until another one joins', async () => {
    const { built, progress } = countingAgent();
    await using first = await connectSlowClient(built);
    const { sessionId } = await first.newSession();
    await settle();
    const [session] = progress.sessions;
    first.stopReading();
    let told = 0;
    const telling = (async () => {
      for (const content of names(500)) {
        await session?.update({ type: 'plan', entries: [{ content, priority: 'low', status: 'pending' }] });
        told += 1;
      }
    })();
    await until(() => told >= HIGH_WATER);
    for (let turns = 0; turns < 20; turns++) await settle();
    expect(told).toBeLessThan(100);
    await using second = await connectSlowClient(built);
    await second.request('session/load', { sessionId, ...SETUP });
    await telling;
    await until(() => plansOf(second).length === 500);
    expect(plansOf(second)).toEqual(names(500));
    first.readAgain();
    await until(() => plansOf(first).length === 500);
    expect(plansOf(first)).toEqual(names(500));
  });
});
