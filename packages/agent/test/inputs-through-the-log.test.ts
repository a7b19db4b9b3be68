import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '@parley/store/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentProcess, heard, load, startAgent, statusOf } from './agent-process.ts';
import { CWD, errorOf, until } from './raw-client.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-inputs-'));
});
afterAll(() => rm(folder, { recursive: true }));

const QUEUE = { 'parley/whenBusy': 'queue' };
const YES = { outcome: { outcome: 'selected', optionId: 'yes' } };

let files = 0;

/** Resolves to the body of an entry in the log of the newest file, when it has as many of that kind. */
async function logged(kind: string, sessionId: string, count = 1): Promise<unknown> {
  await using store = sqliteStore({ path: join(folder, `sessions-${files}.db`) });
  let seen = 0;
  for await (const event of store.log().follow(sessionId))
    if (event.kind === kind && ++seen === count) return event.body;
  return undefined;
}

/** An answer that is given later. */
function createAnswer(): { readonly promise: Promise<unknown>; give(answer: unknown): void } {
  let give = (_answer: unknown): void => {};
  const promise = new Promise<unknown>((resolve) => {
    give = resolve;
  });
  return { promise, give: (answer) => give(answer) };
}

/** Two processes with one session; the first is at work in it. */
async function ownerAndOther(
  prompt: string,
): Promise<{ owner: AgentProcess; other: AgentProcess; sessionId: string; turn: Promise<unknown> }> {
  const path = join(folder, `sessions-${++files}.db`);
  const [owner, other] = await Promise.all([startAgent(path), startAgent(path)]);
  const { sessionId } = await owner.newSession();
  await load(other, sessionId);
  const turn = owner.prompt(sessionId, prompt).catch((error: unknown) => error);
  return { owner, other, sessionId, turn };
}

describe('a prompt from a process that does not own the session', () => {
  it('waits in the log, and is run by its own process when the turn of the owner has ended', async () => {
    const { owner, other, sessionId, turn } = await ownerAndOther('wait');
    await until(() => other.said() === 'waiting');
    const queued = other.prompt(sessionId, 'count', QUEUE);
    const second = other.prompt(sessionId, 'count', QUEUE);
    await settled(100);
    expect(owner.said()).toBe('waiting');
    owner.notify('session/cancel', { sessionId });
    expect(await turn).toEqual({ stopReason: 'cancelled' });
    expect(await queued).toEqual({ stopReason: 'end_turn' });
    expect(await second).toEqual({ stopReason: 'end_turn' });
    const said = ['turn 1 in mode code', 'turn 2 in mode code'];
    await until(() => heard(owner).at(-1) === said[1]);
    for (const client of [owner, other]) {
      await load(client, sessionId);
      expect(heard(client)).toEqual(['wait', 'waiting', 'count', said[0], 'count', said[1]]);
    }
    await owner[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  it('is run by the process that asked for it when the owner is killed', async () => {
    const { owner, other, sessionId, turn } = await ownerAndOther('wait');
    await until(() => other.said() === 'waiting');
    const queued = other.prompt(sessionId, 'hello', QUEUE);
    await settled(100);
    await owner.kill();
    expect(await queued).toEqual({ stopReason: 'end_turn' });
    expect(await turn).toMatchObject({ code: 'connection_closed' });
    expect(statusOf(other, 'wait')).toBe('failed');
    expect(other.said()).toBe('waitingYou said: hello');
    await other[Symbol.asyncDispose]();
  });

  it('is withdrawn before it began, and then never runs', async () => {
    const { owner, other, sessionId, turn } = await ownerAndOther('wait');
    await until(() => other.said() === 'waiting');
    const withdrawal = new AbortController();
    const queued = errorOf(
      other.connection.request(
        'session/prompt',
        { sessionId, prompt: [{ type: 'text', text: 'hello' }], _meta: QUEUE },
        { signal: withdrawal.signal },
      ),
    );
    await settled(100);
    withdrawal.abort(new Error('never mind'));
    expect((await queued).message).toBe('never mind');
    await settled(300);
    owner.notify('session/cancel', { sessionId });
    await turn;
    await settled(300);
    await load(owner, sessionId);
    expect(heard(owner)).toEqual(['wait', 'waiting']);
    await owner[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
});

describe('a prompt whose process is killed while it waits', () => {
  it('is not run by others: everybody sees that it was not, and no model reads it', async () => {
    const { owner, other, sessionId, turn } = await ownerAndOther('wait');
    await until(() => other.said() === 'waiting');
    const queued = errorOf(other.prompt(sessionId, 'hello', QUEUE));
    await logged('prompt', sessionId);
    await other.kill();
    await queued;
    owner.notify('session/cancel', { sessionId });
    expect(await turn).toEqual({ stopReason: 'cancelled' });
    expect(await logged('turn_end', sessionId, 2)).toMatchObject({
      error: { message: expect.stringContaining('send the prompt again'), data: { reason: 'prompt_abandoned' } },
    });
    await load(owner, sessionId);
    expect(heard(owner)).toEqual(['wait', 'waiting', 'hello']);
    await owner.prompt(sessionId, 'history');
    expect(owner.said().endsWith('wait;waiting;history;')).toBe(true);
    await owner[Symbol.asyncDispose]();
  });
});

describe('a client that wants its own turns only', () => {
  it('hears nothing of the turns of others, and is not asked what they ask', async () => {
    const path = join(folder, `sessions-${++files}.db`);
    const [owner, other] = await Promise.all([
      startAgent(path),
      startAgent(path, { meta: { 'parley/ownTurnsOnly': true } }),
    ]);
    const { sessionId } = await owner.newSession();
    await load(other, sessionId);
    let isAsked = false;
    other.connection.onRequest('session/request_permission', () => {
      isAsked = true;
      return YES;
    });
    const answer = createAnswer();
    owner.connection.onRequest('session/request_permission', () => answer.promise);
    const asking = owner.prompt(sessionId, 'ask');
    await logged('question_asked', sessionId);
    const queued = other.prompt(sessionId, 'hello', QUEUE);
    await logged('prompt', sessionId);
    answer.give(YES);
    expect(await asking).toEqual({ stopReason: 'end_turn' });
    expect(await queued).toEqual({ stopReason: 'end_turn' });
    expect(other.said()).toBe('You said: hello');
    expect(isAsked).toBe(false);
    await other.prompt(sessionId, 'ask');
    expect(isAsked).toBe(true);
    await owner[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
});

describe('a client whose prompt waits for another process', () => {
  it('cancels that prompt, and not what runs there', async () => {
    const { owner, other, sessionId, turn } = await ownerAndOther('wait');
    await until(() => other.said() === 'waiting');
    const queued = other.prompt(sessionId, 'hello', QUEUE);
    await settled(100);
    other.notify('session/cancel', { sessionId });
    expect(await queued).toEqual({ stopReason: 'cancelled' });
    expect(statusOf(owner, 'wait')).toBe('in_progress');
    owner.notify('session/cancel', { sessionId });
    expect(await turn).toEqual({ stopReason: 'cancelled' });
    await owner[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
});

describe('a prompt with a key', () => {
  it('runs once, however often and from wherever it is sent, and is answered each time', async () => {
    const { owner, other, sessionId, turn } = await ownerAndOther('hello');
    await turn;
    const keyed = { 'parley/promptKey': 'one', ...QUEUE };
    const answers = await Promise.all([
      owner.prompt(sessionId, 'count', keyed),
      other.prompt(sessionId, 'count', keyed),
      owner.prompt(sessionId, 'count', keyed),
    ]);
    expect(answers).toEqual(Array(3).fill({ stopReason: 'end_turn' }));
    expect(await other.prompt(sessionId, 'count', keyed)).toEqual({ stopReason: 'end_turn' });
    await owner.kill();
    expect(await other.prompt(sessionId, 'count', keyed)).toEqual({ stopReason: 'end_turn' });
    await load(other, sessionId);
    expect(heard(other)).toEqual(['hello', 'You said: hello', 'count', 'turn 1 in mode ask']);
    await other[Symbol.asyncDispose]();
  });
});

describe('a question of the owner', () => {
  it('is put to the clients of other processes, whose answer reaches it through the log', async () => {
    const { owner, other, sessionId, turn } = await ownerAndOther('hello');
    await turn;
    owner.connection.onRequest('session/request_permission', () => new Promise(() => {}));
    other.connection.onRequest('session/request_permission', () => YES);
    expect(await owner.prompt(sessionId, 'ask')).toEqual({ stopReason: 'end_turn' });
    expect(owner.said()).toBe('You said: helloallowed');
    await owner[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  it('is put to a client that opens the session elsewhere while it is open', async () => {
    const { owner, other, sessionId, turn } = await ownerAndOther('hello');
    await turn;
    await other.request('session/close', { sessionId });
    let isAsked = false;
    owner.connection.onRequest('session/request_permission', () => {
      isAsked = true;
      return new Promise(() => {});
    });
    other.connection.onRequest('session/request_permission', () => YES);
    const asking = owner.prompt(sessionId, 'ask');
    await until(() => isAsked);
    await other.request('session/resume', { sessionId, cwd: CWD, mcpServers: [] });
    expect(await asking).toEqual({ stopReason: 'end_turn' });
    expect(owner.said()).toContain('allowed');
    await owner[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  it('is withdrawn everywhere when the owner is killed, and its turn ends', async () => {
    const { owner, other, sessionId, turn } = await ownerAndOther('hello');
    await turn;
    let isWithdrawn = false;
    let isAsked = false;
    owner.connection.onRequest('session/request_permission', () => new Promise(() => {}));
    other.connection.onRequest('session/request_permission', ({ signal }) => {
      isAsked = true;
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isWithdrawn = true;
          reject(signal.reason);
        });
      });
    });
    owner.prompt(sessionId, 'ask').catch(() => {});
    await until(() => isAsked);
    await owner.kill();
    await until(() => isWithdrawn);
    expect(await other.prompt(sessionId, 'now')).toEqual({ stopReason: 'end_turn' });
    expect(heard(other).at(-1)).toBe('You said: now');
    await other[Symbol.asyncDispose]();
  });
});

describe('a cancel from a process that does not own the session', () => {
  it('leaves a session that can be used, also when the owner is killed before it can act on it', async () => {
    const { owner, other, sessionId } = await ownerAndOther('wait');
    await until(() => other.said() === 'waiting');
    other.notify('session/cancel', { sessionId });
    await owner.kill();
    await until(() => statusOf(other, 'wait') === 'failed');
    expect(await other.prompt(sessionId, 'now')).toEqual({ stopReason: 'end_turn' });
    await other[Symbol.asyncDispose]();
  });
});

/** Long enough for another process to have read what was appended; what is then expected holds also if it was not. */
function settled(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
