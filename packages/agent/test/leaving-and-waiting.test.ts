import type { SessionLog, SessionStore } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../src/index.ts';
import { CWD, connectRawClient, type RawClient, testAgent, until } from './raw-client.ts';

const QUEUE = { 'parley/whenBusy': 'queue' };

/** An agent that says what it hears, or works until it is cancelled or told to go on. */
function patientAgent(store: SessionStore): { readonly built: Agent; goOn(): void } {
  let goOn = (): void => {};
  const { built } = testAgent({ store });
  built.onPrompt(async (turn) => {
    turn.say(`heard ${turn.text}`);
    if (turn.text !== 'wait') return;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      turn.signal.addEventListener('abort', () => resolve());
    });
  });
  return { built, goOn: () => goOn() };
}

async function open(built: Agent, sessionId?: string): Promise<RawClient & { readonly sessionId: string }> {
  const client = connectRawClient(built);
  await client.initialize();
  if (sessionId === undefined) return Object.assign(client, await client.newSession());
  await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
  return Object.assign(client, { sessionId });
}

describe('a client that leaves a session in which the turn of another client runs', () => {
  it.each([
    ['closes it', (client: RawClient, sessionId: string) => client.request('session/close', { sessionId })],
    ['is gone', (client: RawClient) => client[Symbol.asyncDispose]()],
  ] as const)('ends nothing there when it %s, in this process or in another', async (_, leave) => {
    const store = memoryStore({ isShared: true });
    const { built, goOn } = patientAgent(store);
    await using first = await open(built);
    const { sessionId } = first;
    const second = await open(built, sessionId);
    const elsewhere = await open(patientAgent(store).built, sessionId);
    const turn = first.prompt(sessionId, 'wait');
    await until(() => elsewhere.said() === 'heard wait' && second.said() === 'heard wait');
    await leave(second, sessionId);
    await leave(elsewhere, sessionId);
    // A prompt through the log shows that the owner has read everything before it.
    const third = await open(patientAgent(store).built, sessionId);
    const queued = third.prompt(sessionId, 'next', QUEUE);
    for await (const { kind } of store.log().follow(sessionId)) {
      expect(kind).not.toBe('cancel');
      if (kind === 'prompt') break;
    }
    goOn();
    expect(await turn).toEqual({ stopReason: 'end_turn' });
    expect(await queued).toEqual({ stopReason: 'end_turn' });
    for (const client of [second, elsewhere, third]) await client[Symbol.asyncDispose]();
  });
});

describe('a prompt', () => {
  it('waits for a process that holds the session outside of turns, as to drop old ones', async () => {
    const store = memoryStore({ isShared: true });
    await using client = await open(patientAgent(store).built);
    const { sessionId } = client;
    const { epoch } = await store.log().acquire(sessionId, { owner: 'pruner' });
    const turn = client.prompt(sessionId, 'hello');
    setTimeout(() => void store.log().release(sessionId, { epoch }), 300);
    expect(await turn).toEqual({ stopReason: 'end_turn' });
  });

  it('that may wait does so when another process takes the session just before its turn begins', async () => {
    const inner = memoryStore({ isShared: true });
    let other: { readonly epoch: number } | undefined;
    /** Another process is always a little faster, once. */
    const acquire: SessionLog['acquire'] = async (id, options) => {
      if (!other) {
        other = await inner.log().acquire(id, { owner: 'other' });
        await inner.log().append(id, [{ kind: 'turn_start', body: { turnId: 'theirs' } }], other);
      }
      return inner.log().acquire(id, options);
    };
    const store = { ...inner, log: (principal?: string) => ({ ...inner.log(principal), acquire }) };
    await using client = await open(patientAgent(store).built);
    const { sessionId } = client;
    const turn = client.prompt(sessionId, 'hello', QUEUE);
    for await (const { kind } of inner.log().follow(sessionId)) if (kind === 'prompt') break;
    const end = { kind: 'turn_end', body: { turnId: 'theirs', stopReason: 'end_turn' } };
    await inner.log().append(sessionId, [end], other);
    await inner.log().release(sessionId, other ?? { epoch: 0 });
    expect(await turn).toEqual({ stopReason: 'end_turn' });
    expect(client.said()).toBe('heard hello');
  });
});
