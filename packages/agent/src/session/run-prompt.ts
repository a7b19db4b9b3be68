import { ConnectionClosedError, RpcError } from '@parley/jsonrpc';
import type { TurnEnded } from '@parley/session';
import { findTurnEnd } from '@parley/session/log';
import type { ClientPeer } from '../peer/client-peer.ts';
import type { TurnOutcome } from '../turn/run-turn.ts';
import type { Prompt } from '../turn/running-turn.ts';
import type { LiveSession, StartedTurn } from './live-session.ts';
import { promptKey } from './owner-requests.ts';

export interface PromptOptions {
  /** The client that asks. */
  readonly peer: ClientPeer;
  /** Who it is, for others to see. */
  readonly by: string;
  /** Aborts when the client withdraws the prompt, or is gone. */
  readonly signal: AbortSignal;
  /** What becomes of the turn when the client is gone. */
  readonly whenClientLeaves: 'cancel' | 'keep';
  /** Whether the prompt waits for its turn while another one runs. */
  readonly whenBusy: 'refuse' | 'queue';
}

/**
 * Has a prompt run in a session, and follows its turn to the end. A plain prompt begins before this first waits, so that what
 * follows on the wire finds the turn running. A prompt with an id of its own runs once, however often it is asked for.
 */
export function runPrompt(session: LiveSession, prompt: Prompt, options: PromptOptions): Promise<TurnOutcome> {
  const isPlain = prompt.id === undefined && options.whenBusy === 'refuse';
  if (isPlain) return followTurn(session.startTurn(prompt, options.peer), options);
  return runInOrder(session, prompt, options);
}

async function runInOrder(session: LiveSession, prompt: Prompt, options: PromptOptions): Promise<TurnOutcome> {
  const { peer, whenBusy, by, signal } = options;
  const earlier = prompt.id === undefined ? undefined : await findEarlier(session, prompt.id, options);
  if (earlier) return earlier;
  while (whenBusy === 'queue') {
    signal.throwIfAborted();
    if (session.isRunning) await untilAborted(session.ended, signal);
    else if ((await session.shared?.catchUp()) && session.requests) {
      const id = prompt.id ?? crypto.randomUUID().slice(0, 13);
      const { content, meta } = prompt;
      const input = { type: 'prompt' as const, promptId: id, content, by, ...(meta && { meta: { ...meta } }) };
      const end = await session.requests.prompt(input, signal);
      await session.whenSeen(peer);
      return outcomeOf(end);
    } else if (!session.isRunning) break;
  }
  return followTurn(session.startTurn(prompt, peer), options);
}

/** What became of a prompt that was asked for before; undefined when it was not, or nothing came of it. */
async function findEarlier(session: LiveSession, id: string, options: PromptOptions): Promise<TurnOutcome | undefined> {
  const running = session.findTurn(id);
  if (running) return followTurn(running, options);
  const { inbound } = await session.log.append(session.id, [], { isInput: true, once: { key: promptKey(id) } });
  if (!inbound?.isRepeated) return undefined;
  await session.shared?.catchUp();
  const started = session.findTurn(id);
  if (started) return followTurn(started, options);
  const { progress } = session.shared ?? {};
  const isUnderWay =
    progress?.turn?.turnId === id ||
    progress?.inputs.some(({ input }) => input.type === 'prompt' && input.promptId === id);
  if (isUnderWay && session.requests) return outcomeOf(await session.requests.follow(id));
  await session.settle();
  const end = await findTurnEnd({ log: session.log, sessionId: session.id, turnId: id });
  return end && outcomeOf(end);
}

/** The turn goes on without the request that asked for it, if that is wanted; else it ends with it. */
function followTurn({ turn, outcome }: StartedTurn, options: PromptOptions): Promise<TurnOutcome> {
  const { signal, whenClientLeaves } = options;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      if (whenClientLeaves === 'keep' && signal.reason instanceof ConnectionClosedError) reject(signal.reason);
      else turn.cancel();
    };
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function outcomeOf({ stopReason, error }: TurnEnded): TurnOutcome {
  if (error) throw new RpcError(error.code, error.message);
  return { stopReason: stopReason ?? 'end_turn' };
}

function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
