import { ConnectionClosedError, RpcError } from '@parley/jsonrpc';
import type { TurnEnded } from '@parley/session';
import { findTurnEnd } from '@parley/session/log';
import type { ClientPeer } from '../peer/client-peer.ts';
import type { TurnOutcome } from '../turn/run-turn.ts';
import type { Prompt } from '../turn/running-turn.ts';
import type { LiveSession } from './live-session.ts';
import type { OwnerRequests } from './owner-requests.ts';
import { requireTurns, type StartedTurn } from './turns.ts';

export interface PromptOptions {
  /** The client that asks. */
  readonly peer: ClientPeer;
  /** Who it is, for others to see. */
  readonly by: string;
  /** Aborts when the client withdraws the prompt, or is gone. */
  readonly signal: AbortSignal;
  /** Aborts when the client cancels the prompt, which is then answered as cancelled. */
  readonly cancelled: AbortSignal;
  /** What becomes of the turn when the client is gone. */
  readonly whenClientLeaves: 'cancel' | 'keep';
  /** Whether the prompt waits for its turn while another one runs. */
  readonly whenBusy: 'refuse' | 'queue';
  /** The prompt is part of the conversation now. Never called for one that was cancelled before that. */
  readonly onInserted?: ((turnId: string) => void) | undefined;
}

/**
 * Has a prompt run in a session, and follows its turn to the end. A plain prompt begins before this first waits, so that what
 * follows on the wire finds the turn running. A prompt with an id of its own runs once, however often it is asked for.
 */
export function runPrompt(session: LiveSession, prompt: Prompt, options: PromptOptions): Promise<TurnOutcome> {
  if (prompt.id !== undefined) return runOnce(session, { ...prompt, id: prompt.id }, options);
  if (options.whenBusy === 'queue') return runWhenFree(session, prompt, options);
  // A client that was told the end of a turn may prompt at once, although the last of that turn is still being put away.
  if (session.turns.running?.isOver) {
    return untilAborted(session.turns.ended, options.signal).then(() => runPrompt(session, prompt, options));
  }
  return followTurn(session.turns.start(prompt, options.peer), options);
}

async function runWhenFree(session: LiveSession, prompt: Prompt, options: PromptOptions): Promise<TurnOutcome> {
  const { signal, cancelled, peer } = options;
  for (;;) {
    signal.throwIfAborted();
    if (cancelled.aborted) return { stopReason: 'cancelled' };
    if (session.isRunning) await untilAborted(Promise.race([session.turns.ended, whenAborted(cancelled)]), signal);
    else if (session.requests && (await session.shared?.catchUp())) {
      const id = crypto.randomUUID().slice(0, 13);
      return runThroughLog(session, session.requests, { ...prompt, id }, options);
    } else if (!session.isRunning && !cancelled.aborted) return followTurn(session.turns.start(prompt, peer), options);
  }
}

async function runOnce(
  session: LiveSession,
  prompt: Prompt & { readonly id: string },
  options: PromptOptions,
): Promise<TurnOutcome> {
  if (session.requests) return runThroughLog(session, session.requests, prompt, options);
  // Nobody else can have the session, so that what runs here is all that runs.
  const { id } = prompt;
  const running = session.turns.find(id);
  if (running) return followTurn(running, options);
  await session.settle();
  const end = await findTurnEnd({ log: session.log, sessionId: session.id, turnId: id });
  if (end) {
    options.onInserted?.(id);
    return outcomeOf(end);
  }
  const { id: _, ...unnamed } = prompt;
  const started = session.turns.find(id);
  if (started) return followTurn(started, options);
  if (options.whenBusy === 'queue') while (session.isRunning) await untilAborted(session.turns.ended, options.signal);
  return followTurn(session.turns.find(id) ?? session.turns.start({ ...unnamed, id }, options.peer), options);
}

/** The prompt is an entry of the log, and whoever owns the session runs it: another process, or this one. */
async function runThroughLog(
  session: LiveSession,
  requests: OwnerRequests,
  { id, content, meta }: Prompt & { readonly id: string },
  options: PromptOptions,
): Promise<TurnOutcome> {
  const { peer, by, signal, cancelled, whenClientLeaves } = options;
  // One that is there already may be asked for again.
  if (!(await requests.knows(id))) requireTurns(session.definition);
  const withdrawal = new AbortController();
  const input = { type: 'prompt' as const, promptId: id, content, by, ...(meta && { meta: { ...meta } }) };
  const onAbort = (): void => {
    if (!isKept(signal, whenClientLeaves)) withdrawal.abort();
  };
  const onCancel = (): void => withdrawal.abort();
  signal.addEventListener('abort', onAbort);
  cancelled.addEventListener('abort', onCancel);
  session.turns.askers.set(id, peer);
  try {
    const onStarted = (): void => options.onInserted?.(id);
    const end = await untilAborted(requests.prompt(input, { signal: withdrawal.signal, onStarted }), signal);
    await session.whenSeen(peer);
    return outcomeOf(end);
  } finally {
    signal.removeEventListener('abort', onAbort);
    cancelled.removeEventListener('abort', onCancel);
    session.turns.askers.delete(id);
  }
}

/** The turn goes on without the request that asked for it, if that is wanted; else it ends with it. */
function followTurn({ turn, outcome }: StartedTurn, options: PromptOptions): Promise<TurnOutcome> {
  const { signal, whenClientLeaves, onInserted } = options;
  if (onInserted) void turn.inserted.then(() => onInserted(turn.id));
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      if (isKept(signal, whenClientLeaves)) reject(signal.reason);
      else turn.cancel();
    };
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Whether a turn goes on although its request was aborted: its client is gone, and has not withdrawn it. */
function isKept({ reason }: AbortSignal, whenClientLeaves: PromptOptions['whenClientLeaves']): boolean {
  return whenClientLeaves === 'keep' && reason instanceof ConnectionClosedError;
}

function outcomeOf({ stopReason, error, tokens, meta, extra }: TurnEnded): TurnOutcome {
  if (error) throw new RpcError(error.code, error.message);
  const beside = { ...(tokens && { tokens }), ...(meta && { meta }), ...(extra && { extra }) };
  return { stopReason: stopReason ?? 'end_turn', ...beside };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
