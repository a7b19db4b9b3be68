import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoggedEvent, SessionStore } from '@parley/store';
import { sqliteStore } from '@parley/store/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentProcess, heard, load, startAgent, statusOf } from './agent-process.ts';
import { CWD, errorOf, until } from './raw-client.ts';
import { names, plansOf } from './slow-client.ts';

let folder = '';
let opened: SessionStore | undefined;
/** They outlive the tests; a process that is to be killed is started for it. */
const running: AgentProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-processes-'));
  opened = sqliteStore({ path: join(folder, 'sessions.db') });
  running.push(...(await Promise.all([start(), start(), start()])));
});
afterAll(async () => {
  for (const each of running) await each[Symbol.asyncDispose]();
  await opened?.close();
  await rm(folder, { recursive: true });
});

function start(): Promise<AgentProcess> {
  return startAgent(join(folder, 'sessions.db'));
}

/** Processes that have heard nothing yet. */
function others(): [AgentProcess, AgentProcess, AgentProcess] {
  const [first, second, third] = running;
  if (!first || !second || !third) throw new Error('The processes are not running.');
  for (const { received } of running) received.length = 0;
  return [first, second, third];
}

async function readLog(sessionId: string): Promise<LoggedEvent[]> {
  const entries: LoggedEvent[] = [];
  for await (const entry of opened?.log().read(sessionId) ?? []) entries.push(entry);
  return entries;
}

describe('a client that watches a session while another process works in it', () => {
  it('sees everything as it happens, in order and once, also when it loads in the midst of it', async () => {
    const [first, second] = others();
    const { sessionId } = await first.newSession();
    await load(second, sessionId);
    const turn = first.prompt(sessionId, 'stream 600');
    for (const count of [50, 150, 300]) {
      await until(() => plansOf(second).length >= count);
      await load(second, sessionId);
    }
    await turn;
    await until(() => plansOf(second).at(-1) === '599');
    // What was under way when it loaded last came before what it loaded.
    expect(plansOf(second).slice(-600)).toEqual(names(600));
    expect(plansOf(first)).toEqual(names(600));

    // And the other way round, with a turn of each right behind that of the other.
    first.received.length = 0;
    second.received.length = 0;
    await second.prompt(sessionId, 'stream 200');
    await first.prompt(sessionId, 'stream 100');
    await second.prompt(sessionId, 'stream 50');
    await until(() => plansOf(first).length >= 350);
    const all = [...names(200), ...names(100), ...names(50)];
    expect(plansOf(second)).toEqual(all);
    expect(plansOf(first)).toEqual(all);
    expect(heard(first)).toEqual(['stream 200', 'stream 50']);
    expect(heard(second)).toEqual(['stream 100']);
  });

  it('sees titles, modes and options that are set there, and is answered with them', async () => {
    const [first, second] = others();
    const { sessionId } = await first.newSession();
    await second.request('session/resume', { sessionId, cwd: CWD });
    await first.request('session/set_mode', { sessionId, modeId: 'code' });
    await first.request('session/set_title', { sessionId, title: 'From the first' });
    await until(() => second.updates().some(({ sessionUpdate }) => sessionUpdate === 'session_info_update'));
    expect(second.updates()).toMatchObject([
      { sessionUpdate: 'current_mode_update', currentModeId: 'code' },
      { sessionUpdate: 'config_option_update', configOptions: [{ id: 'mode', currentValue: 'code' }] },
      { sessionUpdate: 'session_info_update', title: 'From the first' },
    ]);
    expect(await load(second, sessionId)).toMatchObject({ modes: { currentModeId: 'code' } });
  });

  it('changes nothing of what is saved there when it leaves', async () => {
    const [first, second] = others();
    const { sessionId } = await first.newSession();
    await load(second, sessionId);
    await first.prompt(sessionId, 'count');
    await first.request('session/set_mode', { sessionId, modeId: 'code' });
    await until(() => second.updates().some(({ sessionUpdate }) => sessionUpdate === 'config_option_update'));
    await second.request('session/close', { sessionId });
    expect((await opened?.log().get(sessionId))?.metadata).toMatchObject({
      settings: { modeId: 'code' },
      state: { turns: 1 },
    });
    await first.prompt(sessionId, 'count');
    expect(heard(first).at(-1)).toBe('turn 2 in mode code');
  });

  it('is refused a prompt of its own, may leave without ending anything, and cancels what runs there', async () => {
    const [first, second] = others();
    const { sessionId } = await first.newSession();
    await load(second, sessionId);
    const turn = first.prompt(sessionId, 'wait');
    await until(() => statusOf(second, 'wait') === 'in_progress' && second.said() === 'waiting');
    expect((await errorOf(second.prompt(sessionId, 'stop'))).message).toContain('or cancel it');
    await second.request('session/close', { sessionId });
    expect(statusOf(first, 'wait')).toBe('in_progress');
    await load(second, sessionId);
    second.notify('session/cancel', { sessionId });
    expect(await turn).toEqual({ stopReason: 'cancelled' });
    await until(() => statusOf(second, 'wait') === 'failed');
  });

  it('may put the session away, which ends nothing there', async () => {
    const [first, second] = others();
    const { sessionId } = await first.newSession();
    await load(second, sessionId);
    const turn = first.prompt(sessionId, 'wait');
    await until(() => second.said() === 'waiting');
    await second.request('session/archive', { sessionId });
    expect(statusOf(first, 'wait')).toBe('in_progress');
    first.notify('session/cancel', { sessionId });
    expect(await turn).toEqual({ stopReason: 'cancelled' });
    // The answer does not wait until the session is given back.
    while ((await opened?.log().get(sessionId))?.lease) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await opened?.log().get(sessionId)).toMatchObject({ isArchived: true, lease: null });
  });

  it('hears of a deletion when it next asks, and the turn that it ends there fails clearly', async () => {
    const [first, second] = others();
    const { sessionId } = await first.newSession();
    await load(second, sessionId);
    const turn = errorOf(first.prompt(sessionId, 'stream 1000000'));
    await until(() => plansOf(second).length > 5);
    await second.request('session/delete', { sessionId });
    expect(await turn).toMatchObject({ code: -32603, message: expect.stringContaining('There is no session') });
    expect(await errorOf(first.prompt(sessionId, 'go on'))).toMatchObject({ code: -32002, data: { sessionId } });
    expect(await errorOf(load(second, sessionId))).toMatchObject({ code: -32002, data: { sessionId } });
  });
});

describe('a turn whose process was killed', () => {
  const isEnd = ({ kind }: LoggedEvent): boolean => kind === 'turn_end';
  const endsOf = async (sessionId: string): Promise<unknown[]> =>
    (await readLog(sessionId)).filter(isEnd).map(({ body }) => body);
  const INTERRUPTED = { error: { message: expect.stringContaining('ended before the turn did') } };

  it('is ended for those who watch, without anybody asking, and once', async () => {
    const first = await start();
    const [second, third] = others();
    const { sessionId } = await first.newSession();
    await load(second, sessionId);
    await load(third, sessionId);
    const lost = errorOf(first.prompt(sessionId, 'wait'));
    await until(() => second.said() === 'waiting' && third.said() === 'waiting');
    expect(await load(third, sessionId)).toMatchObject({ modes: { currentModeId: 'code' } });
    expect(statusOf(third, 'wait')).toBe('in_progress');
    await first.kill();
    await lost;
    for (const client of [second, third]) {
      await until(() => statusOf(client, 'wait') === 'failed');
      await until(() => plansOf(client).length === 2);
      expect(client.updates().findLast(({ sessionUpdate }) => sessionUpdate === 'plan')).toMatchObject({
        entries: [{ content: 'Wait', status: 'pending' }],
      });
    }
    expect(await endsOf(sessionId)).toMatchObject([INTERRUPTED]);
    expect((await opened?.log().get(sessionId))?.metadata).toMatchObject({ settings: { modeId: 'code' } });
    expect(await third.prompt(sessionId, 'count')).toEqual({ stopReason: 'end_turn' });
    expect(heard(third).at(-1)).toBe('turn 1 in mode code');
    expect(await endsOf(sessionId)).toHaveLength(2);
  });

  it('is ended by the next who opens the session, and then it is in the log', async () => {
    const first = await start();
    const { sessionId } = await first.newSession();
    const lost = errorOf(first.prompt(sessionId, 'wait'));
    await until(() => first.said() === 'waiting');
    await first.kill();
    await lost;
    expect((await opened?.log().get(sessionId))?.lease?.leaseUntilMs).toBeGreaterThan(Date.now());

    const [second] = others();
    expect(await load(second, sessionId)).toMatchObject({ modes: { currentModeId: 'code' } });
    const shown = second.updates();
    expect(shown.findLast((update) => 'toolCallId' in update)).toMatchObject({
      toolCallId: 'wait',
      status: 'failed',
      content: [{ content: { text: expect.stringContaining('interrupted before it finished') } }],
    });
    expect(shown.filter(({ sessionUpdate }) => sessionUpdate === 'plan')).toMatchObject([
      { entries: [{ status: 'in_progress' }] },
      { entries: [{ status: 'pending' }] },
    ]);
    const entries = await readLog(sessionId);
    expect(entries.filter(isEnd)).toMatchObject([{ body: INTERRUPTED }]);
    const [, third] = others();
    for (const client of [second, third]) {
      await load(client, sessionId);
      expect(client.updates()).toEqual(shown);
    }
    expect(await readLog(sessionId)).toEqual(entries);
    expect((await opened?.log().get(sessionId))?.lease).toBeNull();
  });

  it('has an end for one who resumes the session too', async () => {
    const first = await start();
    const { sessionId } = await first.newSession();
    const lost = errorOf(first.prompt(sessionId, 'wait'));
    await until(() => first.said() === 'waiting');
    await first.kill();
    await lost;
    const [second] = others();
    const answer = await second.request('session/resume', { sessionId, cwd: CWD });
    expect(answer).toMatchObject({ modes: { currentModeId: 'code' } });
    expect(await endsOf(sessionId)).toMatchObject([INTERRUPTED]);
  });

  it('loses nothing of what was committed, and shows none of it twice', async () => {
    const first = await start();
    const [second] = others();
    const { sessionId } = await first.newSession();
    await load(second, sessionId);
    const lost = errorOf(first.prompt(sessionId, 'flood 1000000'));
    await until(() => plansOf(second).length > 500);
    await first.kill();
    await lost;
    while ((await endsOf(sessionId)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const plans = (await readLog(sessionId)).filter(({ kind }) => kind === 'plan');
    await until(() => plansOf(second).length >= plans.length);
    expect(plansOf(second)).toEqual(names(plans.length));
    await load(second, sessionId);
    expect(plansOf(second)).toEqual(names(plans.length));
  });
});

describe('a fork of a session in which another process works', () => {
  it('has what was there by then, with nothing left open; the original goes on', async () => {
    const [first, second] = others();
    const { sessionId } = await first.newSession();
    const turn = first.prompt(sessionId, 'wait');
    await until(() => first.said() === 'waiting');
    const fork = await second.request<{ sessionId: string }>('session/fork', { sessionId, cwd: CWD });
    await load(second, fork.sessionId);
    expect(heard(second)).toEqual(['wait', 'waiting']);
    expect(statusOf(second, 'wait')).toBe('failed');
    expect(await second.prompt(fork.sessionId, 'on')).toEqual({ stopReason: 'end_turn' });
    await load(second, sessionId);
    expect(statusOf(second, 'wait')).toBe('in_progress');
    first.notify('session/cancel', { sessionId });
    expect(await turn).toEqual({ stopReason: 'cancelled' });
    await until(() => statusOf(second, 'wait') === 'failed');
  });
});

describe('a long session', () => {
  it('is loaded while another process writes to it, without a gap or a double', async () => {
    const count = 20_000;
    const log = opened?.log();
    const id = 'long';
    await log?.create({ id, cwd: CWD });
    const plan = (content: string) => ({ type: 'plan', entries: [{ content, priority: 'low', status: 'pending' }] });
    const past = names(count).map((name) => ({ kind: 'plan', body: plan(name) }));
    while (past.length > 0) await log?.append(id, past.splice(0, 1000));

    const [first, second] = others();
    await first.request('session/resume', { sessionId: id, cwd: CWD });
    const turn = first.prompt(id, 'stream 2000');
    await until(() => plansOf(first).length > 100);
    await load(second, id);
    await turn;
    await until(() => plansOf(second).length >= count + 2000);
    expect(plansOf(second)).toEqual([...names(count), ...names(2000)]);
  });
});
