import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore } from '@parley/store/memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentProcess, heard, load, startAgent, statusOf } from './agent-process.ts';
import { CWD, connectRawClient, errorOf, testAgent, until } from './raw-client.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-shared-'));
});
afterAll(() => rm(folder, { recursive: true }));

function start(): Promise<AgentProcess> {
  return startAgent(join(folder, 'sessions.db'));
}

const ELSEWHERE = {
  code: -32600,
  message: expect.stringContaining('Another process works in this session'),
  data: { reason: 'session_owned' },
};

describe('two agent processes with one session', () => {
  it('work in it one at a time; the other is refused a prompt, changes settings there, and sees all that happened', async () => {
    await using first = await start();
    await using second = await start();
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId, 'hello');
    await load(second, sessionId);
    expect(heard(second)).toEqual(['hello', 'You said: hello']);

    const waiting = first.prompt(sessionId, 'wait');
    await until(() => first.said().includes('waiting'));
    expect(await errorOf(second.prompt(sessionId, 'me too'))).toMatchObject(ELSEWHERE);
    await second.request('session/set_mode', { sessionId, modeId: 'ask' });
    const modes = first.updates().filter(({ sessionUpdate }) => sessionUpdate === 'current_mode_update');
    expect(modes.at(-1)).toMatchObject({ currentModeId: 'ask' });
    const sofar = ['hello', 'You said: hello', 'wait', 'waiting'];
    await load(second, sessionId);
    expect(heard(second)).toEqual(sofar);
    expect(statusOf(second, 'wait')).toBe('in_progress');
    first.notify('session/cancel', { sessionId });
    expect(await waiting).toEqual({ stopReason: 'cancelled' });

    await until(() => statusOf(second, 'wait') === 'failed');
    second.received.length = 0;
    await second.prompt(sessionId, 'now');
    expect(heard(second)).toEqual(['You said: now']);
    const all = [...sofar, 'now', 'You said: now'];
    await until(() => heard(first).at(-1) === 'You said: now');
    for (const client of [first, second]) {
      await load(client, sessionId);
      expect(heard(client)).toEqual(all);
    }
  });

  it('go on from what the other did: its messages, its state and its settings', async () => {
    await using first = await start();
    await using second = await start();
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId, 'count');
    await second.request('session/resume', { sessionId, cwd: CWD });
    await second.prompt(sessionId, 'count');
    await second.request('session/set_mode', { sessionId, modeId: 'code' });
    expect(heard(second)).toEqual(['turn 2 in mode ask']);
    await first.prompt(sessionId, 'count');
    expect(heard(first)).toEqual(['turn 1 in mode ask', 'count', 'turn 2 in mode ask', 'turn 3 in mode code']);
    await second.prompt(sessionId, 'history');
    expect(heard(second).slice(1, 3)).toEqual(['count', 'turn 3 in mode code']);
    expect(heard(second).slice(3).join('')).toBe(
      'count;turn 1 in mode ask;count;turn 2 in mode ask;count;turn 3 in mode code;history;',
    );
  });

  it('inherit it at once when the one that worked in it was killed', async () => {
    await using first = await start();
    await using second = await start();
    const { sessionId } = await first.newSession();
    await load(second, sessionId);
    const lost = errorOf(first.prompt(sessionId, 'wait'));
    await until(() => first.said().includes('waiting'));
    expect(await errorOf(second.prompt(sessionId, 'me too'))).toMatchObject(ELSEWHERE);
    await first.kill();
    await lost;
    await second.prompt(sessionId, 'go on');
    expect(heard(second)).toEqual(['wait', 'waiting', 'You said: go on']);
    await load(second, sessionId);
    expect(heard(second)).toEqual(['wait', 'waiting', 'go on', 'You said: go on']);
    // Nobody is left to end what it was doing.
    expect(statusOf(second, 'wait')).toBe('failed');
  });
});

describe('a session on disk that is closed in the midst of a turn', () => {
  it('answers the prompt as cancelled before it answers the close', async () => {
    await using client = await start();
    const { sessionId } = await client.newSession();
    const order: string[] = [];
    const turn = client.prompt(sessionId, 'wait').then(({ stopReason }) => order.push(stopReason));
    await until(() => client.said().includes('waiting'));
    const closed = client.request('session/close', { sessionId }).then(() => order.push('closed'));
    await Promise.all([turn, closed]);
    expect(order).toEqual(['cancelled', 'closed']);
  });
});

describe('a turn that has its session to itself', () => {
  it('keeps it for as long as it runs, and ends with a clear error when it is taken all the same', async () => {
    const store = memoryStore({ isShared: true });
    const { built, diagnostics } = testAgent({ store, limits: { leaseMs: 30 } });
    built.onPrompt(async (turn) => {
      if (turn.text !== 'wait') return void turn.say('fine');
      void turn.say('begun');
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
      void turn.say('never seen');
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    const answer = errorOf(client.prompt(sessionId, 'wait'));
    await until(() => client.said() === 'begun');

    const log = store.log();
    const leaseOf = async () => (await log.get(sessionId))?.lease;
    const granted = await leaseOf();
    let renewed = granted;
    while (renewed?.leaseUntilMs === granted?.leaseUntilMs) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      renewed = await leaseOf();
    }
    expect(renewed).toMatchObject({ owner: granted?.owner, epoch: granted?.epoch });

    const { epoch } = await log.acquire(sessionId, { owner: 'someone', takeOver: true });
    expect(await answer).toMatchObject({ code: -32603, message: expect.stringContaining('someone') });
    expect(client.said()).toBe('begun');
    expect(diagnostics.map(({ kind }) => kind)).toContain('log_failed');

    await log.append(sessionId, [{ kind: 'note', body: 'theirs' }], { epoch });
    await log.release(sessionId, { epoch });
    expect(await client.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' });
    expect(await leaseOf()).toBeNull();
  });

  it('is told when the session was deleted by someone else', async () => {
    const store = memoryStore({ isShared: true });
    const { built } = testAgent({ store });
    await using client = connectRawClient(built.onPrompt(async () => 'end_turn'));
    await client.initialize();
    const { sessionId } = await client.newSession();
    await store.log().remove(sessionId);
    expect(await errorOf(client.prompt(sessionId, 'go'))).toMatchObject({ code: -32002, data: { sessionId } });
  });
});
