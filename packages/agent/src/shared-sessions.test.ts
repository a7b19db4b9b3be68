import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryStore } from '@parley/store';
import { spawnProcess } from '@parley/transports/process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CWD,
  connectRawClient,
  createRawClient,
  errorOf,
  type RawClient,
  testAgent,
  until,
} from '../test/raw-client.ts';

const AGENT = fileURLToPath(new URL('../test/shared-agent.ts', import.meta.url));
const SETUP = { cwd: CWD, mcpServers: [] };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-shared-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface AgentProcess extends RawClient {
  /** Ends it without a word. */
  kill(): Promise<void>;
}

/** An agent in a process of its own; all of them keep their sessions in one file. */
async function startAgent(): Promise<AgentProcess> {
  const transport = await spawnProcess({
    command: process.execPath,
    args: ['--import', 'tsx', '--conditions=source', AGENT, join(folder, 'sessions.db')],
    recordsDir: false,
  });
  const client = createRawClient(transport, transport.process.exited);
  await client.initialize();
  const kill = async (): Promise<void> => {
    process.kill(transport.process.pid, 'SIGKILL');
    await transport.process.exited;
  };
  return Object.assign(client, { kill });
}

/** All that was said, by the person and by the agent, in the order in which the client heard it. */
function heard(client: RawClient): string[] {
  return client
    .updates()
    .flatMap((update) =>
      'content' in update && update.content && 'text' in update.content ? [update.content.text] : [],
    );
}

function statusOf(client: RawClient, id: string): string | undefined {
  const updates = client.updates().filter((update) => 'toolCallId' in update && update.toolCallId === id);
  return updates.flatMap((update) => ('status' in update && update.status ? [update.status] : [])).at(-1);
}

async function load(client: RawClient, sessionId: string): Promise<string[]> {
  client.received.length = 0;
  await client.request('session/load', { sessionId, ...SETUP });
  return heard(client);
}

const ELSEWHERE = {
  code: -32600,
  message: expect.stringContaining('Another process works in this session'),
  data: { reason: 'session_owned' },
};

describe('two agent processes with one session', () => {
  it('work in it one at a time; the other is refused, and sees all that happened', async () => {
    await using first = await startAgent();
    await using second = await startAgent();
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId, 'hello');
    expect(await load(second, sessionId)).toEqual(['hello', 'You said: hello']);

    const waiting = first.prompt(sessionId, 'wait');
    await until(() => first.said().includes('waiting'));
    expect(await errorOf(second.prompt(sessionId, 'me too'))).toMatchObject(ELSEWHERE);
    expect(await errorOf(second.request('session/set_mode', { sessionId, modeId: 'code' }))).toMatchObject(ELSEWHERE);
    const sofar = ['hello', 'You said: hello', 'wait', 'waiting'];
    expect(await load(second, sessionId)).toEqual(sofar);
    expect(statusOf(second, 'wait')).toBe('in_progress');
    first.notify('session/cancel', { sessionId });
    expect(await waiting).toEqual({ stopReason: 'cancelled' });

    second.received.length = 0;
    await second.prompt(sessionId, 'now');
    expect(heard(second)).toEqual(['You said: now']);
    const all = [...sofar, 'now', 'You said: now'];
    expect(await load(first, sessionId)).toEqual(all);
    expect(await load(second, sessionId)).toEqual(all);
  });

  it('go on from what the other did: its messages, its state and its settings', async () => {
    await using first = await startAgent();
    await using second = await startAgent();
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId, 'count');
    await second.request('session/resume', { sessionId, cwd: CWD });
    await second.prompt(sessionId, 'count');
    await second.request('session/set_mode', { sessionId, modeId: 'code' });
    expect(heard(second)).toEqual(['turn 2 in mode ask']);

    first.received.length = 0;
    await first.prompt(sessionId, 'count');
    expect(first.updates().map((update) => update.sessionUpdate)).toContain('current_mode_update');
    expect(heard(first)).toEqual(['count', 'turn 2 in mode ask', 'turn 3 in mode code']);
    second.received.length = 0;
    await second.prompt(sessionId, 'history');
    expect(heard(second).slice(0, 2)).toEqual(['count', 'turn 3 in mode code']);
    expect(heard(second).slice(2).join('')).toBe(
      'count;turn 1 in mode ask;count;turn 2 in mode ask;count;turn 3 in mode code;history;',
    );
  });

  it('inherit it at once when the one that worked in it was killed', async () => {
    await using first = await startAgent();
    await using second = await startAgent();
    const { sessionId } = await first.newSession();
    await second.request('session/load', { sessionId, ...SETUP });
    const lost = errorOf(first.prompt(sessionId, 'wait'));
    await until(() => first.said().includes('waiting'));
    expect(await errorOf(second.prompt(sessionId, 'me too'))).toMatchObject(ELSEWHERE);
    await first.kill();
    await lost;
    await second.prompt(sessionId, 'go on');
    expect(heard(second)).toEqual(['wait', 'waiting', 'You said: go on']);
    expect(await load(second, sessionId)).toEqual(['wait', 'waiting', 'go on', 'You said: go on']);
    // Nobody is left to end what it was doing.
    expect(statusOf(second, 'wait')).toBe('failed');
  });
});

describe('a turn that has its session to itself', () => {
  it('keeps it for as long as it runs, and ends with a clear error when it is taken all the same', async () => {
    const store = memoryStore();
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
    const store = memoryStore();
    const { built } = testAgent({ store });
    await using client = connectRawClient(built.onPrompt(async () => 'end_turn'));
    await client.initialize();
    const { sessionId } = await client.newSession();
    await store.log().remove(sessionId);
    expect(await errorOf(client.prompt(sessionId, 'go'))).toMatchObject({ code: -32002, data: { sessionId } });
  });
});
