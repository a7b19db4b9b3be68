import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../src/index.ts';
import { CWD, connectRawClient, errorOf, type RawClient, settle, testAgent, until } from './raw-client.ts';

const YES_OR_NO = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' as const },
  { optionId: 'no', name: 'No', kind: 'reject_once' as const },
];

/** An agent that says `begun`, waits until it is told to go on, asks if it shall, and says how it went. */
function patientAgent(options: Parameters<typeof testAgent>[0] = {}): { built: Agent; goOn: () => void } {
  const { built } = testAgent(options);
  let goOn = (): void => {};
  const told = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  built.onPrompt(async (turn) => {
    turn.say('begun ');
    await Promise.race([told, new Promise((resolve) => turn.signal.addEventListener('abort', resolve))]);
    turn.signal.throwIfAborted();
    if (turn.text.includes('ask')) {
      const call = turn.toolCall({ id: 'call', title: 'npm test', kind: 'execute' });
      const { allowed } = await turn.askPermission(call, { options: YES_OR_NO });
      if (allowed) call.complete();
      else call.fail();
      turn.say(allowed ? 'allowed ' : 'rejected ');
    }
    turn.say('done');
    return 'end_turn';
  });
  return { built, goOn };
}

function open(built: Agent): RawClient {
  return connectRawClient(built, { whenClientLeaves: 'keep' });
}

async function load(client: RawClient, sessionId: string): Promise<void> {
  await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
}

describe.each([
  ['in memory', () => ({})],
  ['in a store that is shared', () => ({ store: memoryStore({ isShared: true }) })],
])('a turn that is served with whenClientLeaves: keep, %s', (_name, options) => {
  it('survives the connection it was asked on, and is followed to its end by another', async () => {
    const { built, goOn } = patientAgent(options());
    const first = open(built);
    await first.initialize();
    const { sessionId } = await first.newSession();
    const lost = errorOf(first.prompt(sessionId, 'go'));
    await until(() => first.said() === 'begun ');
    await first[Symbol.asyncDispose]();
    expect(await lost).toMatchObject({ code: 'connection_closed' });

    await using second = open(built);
    await second.initialize({}, { 'parley/cursor': true });
    await load(second, sessionId);
    expect(second.said()).toBe('begun ');
    expect(await errorOf(second.prompt(sessionId, 'me too'))).toMatchObject({ code: -32600 });
    goOn();
    await until(() => second.said() === 'begun done');
    await until(() => second.updates().some((update) => stateOf(update)?.state === 'idle'));
    expect(stateOf(second.updates().at(-1))).toMatchObject({ state: 'idle', stopReason: 'end_turn' });
  });

  it('is cancelled by a client that opens the session later', async () => {
    const { built } = patientAgent(options());
    const first = open(built);
    await first.initialize();
    const { sessionId } = await first.newSession();
    void errorOf(first.prompt(sessionId, 'go'));
    await until(() => first.said() === 'begun ');
    await first[Symbol.asyncDispose]();
    await using second = open(built);
    await second.initialize({}, { 'parley/cursor': true });
    await load(second, sessionId);
    second.notify('session/cancel', { sessionId });
    const ends = () => second.updates().flatMap((update) => stateOf(update)?.stopReason ?? []);
    await until(() => ends().length > 0);
    expect(ends()).toEqual(['cancelled']);
  });

  it('asks a client that comes when the one that was asked has gone', async () => {
    const { built, goOn } = patientAgent(options());
    const first = open(built);
    await first.initialize();
    const { sessionId } = await first.newSession();
    let wasAsked = false;
    first.connection.onRequest('session/request_permission', () => {
      wasAsked = true;
      return new Promise(() => {});
    });
    void errorOf(first.prompt(sessionId, 'ask'));
    goOn();
    await until(() => wasAsked);
    await first[Symbol.asyncDispose]();

    await using second = open(built);
    await second.initialize();
    second.connection.onRequest('session/request_permission', () => ({
      outcome: { outcome: 'selected', optionId: 'yes' },
    }));
    await load(second, sessionId);
    await until(() => second.said().endsWith('done'));
    expect(second.said()).toMatch(/allowed done$/);
  });

  it('ends, and its session is closed, when nobody comes', async () => {
    let closed = false;
    const { built, goOn } = patientAgent(options());
    built.onSession(() => () => {
      closed = true;
    });
    const client = open(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    void errorOf(client.prompt(sessionId, 'go'));
    await until(() => client.said() === 'begun ');
    await client[Symbol.asyncDispose]();
    await settle();
    expect(closed).toBe(false);
    goOn();
    await until(() => closed);
  });
});

describe('a turn that is served in the ordinary way', () => {
  it('is cancelled when its client is gone', async () => {
    const { built } = patientAgent();
    let reason: unknown;
    built.onPrompt(async (turn) => {
      turn.say('begun ');
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
      reason = turn.signal.reason;
    });
    const client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    void errorOf(client.prompt(sessionId, 'go'));
    await until(() => client.said() === 'begun ');
    await client[Symbol.asyncDispose]();
    await until(() => reason !== undefined);
    expect(reason).toMatchObject({ code: 'turn_cancelled' });
  });
});

interface State {
  readonly state?: string;
  readonly stopReason?: string;
}

function stateOf(update: unknown): State | undefined {
  const { _meta } = (update ?? {}) as { readonly _meta?: Readonly<Record<string, unknown>> };
  return _meta?.['parley/state'] as State | undefined;
}
