import { describe, expect, it } from 'vitest';
import { countingAgent, openTwice, STORES } from './counting-agent.ts';
import { CWD, errorOf, until } from './raw-client.ts';
import { connectSlowClient, HIGH_WATER, names, plansOf } from './slow-client.ts';

const SETUP = { cwd: CWD, mcpServers: [] };

describe.each(STORES)('a session that a slow client loads and %s', (_, createStore) => {
  it('can be loaded anew by one that is behind, which is told nothing twice', async () => {
    const { built } = countingAgent(createStore(), { maxBacklogEvents: 20 });
    await using clients = await openTwice(built);
    const { first, second, sessionId } = clients;
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
    const { built } = countingAgent(createStore());
    await using clients = await openTwice(built);
    const { first, second, sessionId } = clients;
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
    const { built } = countingAgent(createStore());
    await using clients = await openTwice(built);
    const { first, second, sessionId } = clients;
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
    const { built } = countingAgent(createStore());
    await using clients = await openTwice(built);
    const { first, second, sessionId } = clients;
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
    const { built } = countingAgent(createStore());
    await using clients = await openTwice(built);
    const { first, second, sessionId } = clients;
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
    const { built, progress } = countingAgent(createStore(), { maxBacklogEvents: 20 });
    await using clients = await openTwice(built);
    const { first, sessionId } = clients;
    const answer = first.prompt(sessionId, '3000').then(() => plansOf(first).at(-1));
    await until(() => progress.told > 100);
    await first.request('session/load', { sessionId, ...SETUP });
    expect(await answer).toBe('2999');
    const last = plansOf(first).lastIndexOf('0');
    expect(plansOf(first).slice(last)).toEqual(names(3000));
  });
});
