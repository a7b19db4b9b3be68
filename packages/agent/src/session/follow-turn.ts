import { ConnectionClosedError, RpcError } from '@parley/jsonrpc';
import type { TurnEnded } from '@parley/session';
import type { TurnOutcome } from '../turn/run-turn.ts';
import type { PromptOptions } from './prompt-options.ts';
import type { StartedTurn } from './turns.ts';

/** The turn goes on without the request that asked for it, if that is wanted; else it ends with it. */
export function followTurn({ turn, outcome }: StartedTurn, options: PromptOptions): Promise<TurnOutcome> {
  const { signal, whenClientLeaves, onInserted } = options;
  if (onInserted) void turn.inserted.then(() => onInserted(turn.id, turn.id));
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      if (isKept(signal, whenClientLeaves)) reject(signal.reason);
      else turn.cancel();
    };
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    // A client that left in the last moment was not shown the end of the turn: to it the turn was cancelled.
    const answer = (ended: TurnOutcome): void =>
      resolve(signal.reason instanceof ConnectionClosedError ? { ...ended, stopReason: 'cancelled' } : ended);
    outcome.then(answer, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Whether a turn goes on although its request was aborted: its client is gone, and has not withdrawn it. */
export function isKept({ reason }: AbortSignal, whenClientLeaves: PromptOptions['whenClientLeaves']): boolean {
  return whenClientLeaves === 'keep' && reason instanceof ConnectionClosedError;
}

export function outcomeOf({ stopReason, error, tokens, meta, extra }: TurnEnded): TurnOutcome {
  if (error) throw new RpcError(error.code, error.message);
  const beside = { ...(tokens && { tokens }), ...(meta && { meta }), ...(extra && { extra }) };
  return { stopReason: stopReason ?? 'end_turn', ...beside };
}

export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
