import type { SessionUpdate } from '@parley/protocol';
import { trimTurns } from '@parley/session/log';
import type { SessionLog, SessionStore } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import type { Agent, AgentLimits } from '../src/index.ts';
import { ALL_CAPABILITIES, CWD, connectRawClient, errorOf, type RawClient, settle, testAgent } from './raw-client.ts';

const CURSOR = 'parley/cursor';
const DROPPED = 'parley/droppedTurns';

function talkingAgent(store: SessionStore, limits: Partial<AgentLimits> = {}): Agent {
  const { built } = testAgent({ store, limits });
  return built.onPrompt(async (turn) => {
    if (turn.text === 'plan') {
      await turn.plan([{ content: 'a step', priority: 'low', status: 'pending' }]);
      turn.session.setTitle('Planned');
    } else if (turn.text === 'history') {
      for await (const event of turn.session.history()) {
        if (event.type === 'message_chunk' && event.content.type === 'text') await turn.say(`${event.content.text};`);
      }
    } else await turn.say(`answer to ${turn.text}`);
  });
}

async function connect(built: Agent): Promise<RawClient> {
  const client = connectRawClient(built);
  await client.initialize(ALL_CAPABILITIES, { [CURSOR]: true });
  return client;
}

function trim(log: SessionLog, sessionId: string, turns: number): Promise<{ readonly dropped: number }> {
  return trimTurns({ log, sessionId, keep: { turns } });
}

/** Waits until no more turns than these are kept. */
async function untilKept(log: SessionLog, sessionId: string, most: number): Promise<number> {
  for (;;) {
    const { kept } = await trimTurns({ log, sessionId, keep: {}, isDryRun: true });
    if (kept <= most) return kept;
    await settle();
  }
}

function texts(updates: readonly SessionUpdate[]): string[] {
  return updates.flatMap((update) => {
    if (update.sessionUpdate === 'notice') return [`notice: ${update.title}`];
    if (update.sessionUpdate === 'session_info_update') return update.title ? [`title: ${update.title}`] : [];
    const isMessage = update.sessionUpdate === 'user_message_chunk' || update.sessionUpdate === 'agent_message_chunk';
    return isMessage && update.content.type === 'text' ? [update.content.text] : [update.sessionUpdate];
  });
}

describe('a session whose oldest turns are gone', () => {
  it('is told from a notice on, with the title and the plan that they left; the model sees the rest', async () => {
    await using store = memoryStore({ isShared: true });
    const built = talkingAgent(store);
    await using client = await connect(built);
    const { sessionId } = await client.newSession();
    for (const text of ['plan', 'one', 'two', 'three']) await client.prompt(sessionId, text);
    await client.request('session/close', { sessionId });
    const log = store.log();
    expect(await trim(log, sessionId, 2)).toEqual({ dropped: 2, kept: 2 });
    expect(await trim(log, sessionId, 2)).toEqual({ dropped: 0, kept: 2 });

    await using late = await connect(built);
    await late.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    expect(texts(late.updates())).toEqual([
      'notice: 2 earlier turns are no longer kept',
      'title: Planned',
      'plan',
      'two',
      'answer to two',
      'three',
      'answer to three',
    ]);
    const [notice] = late.received;
    expect(notice).toMatchObject({ _meta: { [CURSOR]: (await log.get(sessionId))?.trimmedTo } });
    expect(notice?.update).toMatchObject({ _meta: { [DROPPED]: 2 } });

    await late.prompt(sessionId, 'history');
    expect(late.said(sessionId).endsWith('two;answer to two;three;answer to three;history;')).toBe(true);
    await late.request('session/close', { sessionId });
    expect(await trim(log, sessionId, 1)).toMatchObject({ dropped: 2 });
    await using last = await connect(built);
    await last.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    expect(texts(last.updates()).slice(0, 4)).toEqual([
      'notice: 4 earlier turns are no longer kept',
      'title: Planned',
      'plan',
      'history',
    ]);
  });

  it('refuses a cursor of them by session/load and session/resume, in words, and takes later ones', async () => {
    await using store = memoryStore({ isShared: true });
    const built = talkingAgent(store);
    await using client = await connect(built);
    const { sessionId } = await client.newSession();
    for (const text of ['one', 'two', 'three']) await client.prompt(sessionId, text);
    const cursors = client.received.map(({ _meta }) => _meta?.[CURSOR] as number);
    await client.request('session/close', { sessionId });
    await trim(store.log(), sessionId, 1);
    const open = (method: string, after: number | undefined): Promise<unknown> =>
      client.request(method, { sessionId, cwd: CWD, mcpServers: [], _meta: { [CURSOR]: after } });
    for (const method of ['session/load', 'session/resume']) {
      const error = await errorOf(open(method, cursors[0]));
      expect(error).toMatchObject({ code: -32602, data: { reason: 'cursor_expired' } });
      expect(error.message).toContain('load it as a whole');
    }
    await open('session/resume', cursors.at(-1));
    expect(await client.prompt(sessionId, 'four')).toMatchObject({ stopReason: 'end_turn' });
  });

  it('does not run a prompt again whose turn is gone', async () => {
    await using store = memoryStore({ isShared: true });
    await using client = await connect(talkingAgent(store));
    const { sessionId } = await client.newSession();
    const key = { 'parley/promptKey': 'once' };
    await client.prompt(sessionId, 'one', key);
    for (const text of ['two', 'three']) await client.prompt(sessionId, text);
    await trim(store.log(), sessionId, 1);
    const said = client.said();
    const error = await errorOf(client.prompt(sessionId, 'one', key));
    expect(error.message).toContain('not run a second time');
    expect(client.said()).toBe(said);
  });
});

describe.each([
  ['in memory', false],
  ['in a store that is shared', true],
])('an agent that keeps some turns, %s', (_name, isShared) => {
  it('deletes the oldest between two turns, and never the last', async () => {
    await using store = memoryStore({ isShared });
    const built = talkingAgent(store, { keepTurns: 2 });
    await using client = await connect(built);
    const { sessionId } = await client.newSession();
    const log = store.log();
    for (const text of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']) {
      await client.prompt(sessionId, text);
    }
    const kept = await untilKept(log, sessionId, 3);
    expect(kept).toBeGreaterThanOrEqual(2);
    await using late = await connect(built);
    await late.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    const told = texts(late.updates());
    expect(told[0]).toMatch(/^notice: \d earlier turns are no longer kept$/);
    expect(told.length).toBeLessThanOrEqual(1 + 2 * 3);
    expect(told.slice(-2)).toEqual(['nine', 'answer to nine']);
  });

  it('deletes those that are older than so many days', async () => {
    await using store = memoryStore({ isShared });
    const log = store.log();
    const built = talkingAgent(store, { keepDays: 1 });
    await using client = await connect(built);
    const { sessionId } = await client.newSession();
    const yesterday = Date.now() - 2 * 24 * 60 * 60 * 1000;
    const old = [
      { kind: 'turn_start', body: { turnId: 'old' }, timeMs: yesterday },
      { kind: 'turn_end', body: { turnId: 'old', stopReason: 'end_turn' }, timeMs: yesterday },
    ];
    await client.request('session/close', { sessionId });
    await log.append(sessionId, old);
    await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    await client.prompt(sessionId, 'new');
    expect(await untilKept(log, sessionId, 1)).toBe(1);
    expect(await log.get(sessionId)).toMatchObject({ trimmedTo: 2 });
  });
});
