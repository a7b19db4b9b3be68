import { describe, expect, it } from 'vitest';
import { countingAgent, openTwice, STORES } from './counting-agent.ts';
import { CWD, settle, until } from './raw-client.ts';
import { connectSlowClient, HIGH_WATER, names, plansOf } from './slow-client.ts';

const SETUP = { cwd: CWD, mcpServers: [] };

describe.each(STORES)('a session with several clients and %s', (_, createStore) => {
  it('goes on when one of them does not read, and tells it everything once it does', async () => {
    const { built, diagnostics } = countingAgent(createStore(), { maxBacklogEvents: 50 });
    await using clients = await openTwice(built);
    const { first, second, sessionId } = clients;
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
    const { built, diagnostics } = countingAgent(createStore(), { maxBacklogBytes: 4096 });
    await using clients = await openTwice(built);
    const { first, second, sessionId } = clients;
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
    const { built, progress } = countingAgent(createStore(), { maxBacklogEvents: 10 });
    await using clients = await openTwice(built);
    const { first, second, sessionId } = clients;
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
    const { built, progress, diagnostics } = countingAgent(createStore());
    await using clients = await openTwice(built);
    const { first, second, sessionId } = clients;
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
    const { built, progress } = countingAgent(createStore());
    await using clients = await openTwice(built);
    const { first, second, sessionId } = clients;
    first.stopReading();
    const answer = first.prompt(sessionId, '1000');
    await until(() => progress.told >= HIGH_WATER);
    second.notify('session/cancel', { sessionId });
    first.readAgain();
    expect(await answer).toEqual({ stopReason: 'cancelled' });
    expect(await second.prompt(sessionId, '3')).toEqual({ stopReason: 'end_turn' });
  });

  it('runs the prompt of one that is behind when it has seen everything before', async () => {
    const { built } = countingAgent(createStore(), { maxBacklogEvents: 20 });
    await using clients = await openTwice(built);
    const { first, second, sessionId } = clients;
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
    const { built, progress } = countingAgent(createStore(), { maxBacklogEvents: 20 });
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

  it('paces updates outside of turns by a client that is alone, until another one joins', async () => {
    const { built, progress } = countingAgent(createStore());
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
