import { RpcError } from '@parley/jsonrpc';
import { detailsOfError } from '@parley/protocol';
import { type StateEvent, summarizeTurn } from '@parley/session';
import type { TurnEnd } from '../peer/agent-peer.ts';
import { type ActiveTurn, GIVEN_UP, NOT_SENT } from './active-turn.ts';
import type { PromptingSession } from './prompting-session.ts';

/** Ends a turn as the agent has answered. */
export function endTurn(
  session: PromptingSession,
  { turn, index }: ActiveTurn,
  { stopReason, usage, meta, extra }: Extract<TurnEnd, { readonly type: 'turn_ended' }>,
): void {
  const outcome = { stopReason, ...(usage && { usage }), ...(meta && { meta }) };
  session.apply({ type: 'turn_ended', ...outcome });
  turn.end({ ...outcome, extra, summary: summarizeTurn(session.transcript, index) });
}

/** Ends a turn whose answer was lost, once the agent has told its end. False when it has not, or was told before. */
export function endAsTold(session: PromptingSession, active: ActiveTurn): boolean {
  const { progress, agentTurn } = active;
  if (progress.name !== 'lost' || !agentTurn.end) return false;
  const { error } = progress;
  active.progress = { name: 'told', error, tellEnd: applyEnd(session, active, { ...agentTurn.end, lost: error }) };
  return true;
}

/** Returns a function that reports the end to the caller. If this client did not cancel a cancelled turn, the lost connection did. */
function applyEnd(
  session: PromptingSession,
  { turn, index, isCancelling }: ActiveTurn,
  { stopReason = 'end_turn', error, lost }: StateEvent & { readonly lost: unknown },
): () => void {
  const failure = error ? new RpcError(error.code, error.message) : stopReason === 'cancelled' && !isCancelling && lost;
  if (failure && !isCancelling) {
    session.apply({ type: 'turn_failed', error: describeFailure(failure) });
    return () => turn.fail(failure);
  }
  const reason = error ? 'cancelled' : stopReason;
  session.apply({ type: 'turn_ended', stopReason: reason });
  const summary = summarizeTurn(session.transcript, index);
  return () => turn.end({ stopReason: reason, summary });
}

/** A cancelled turn ends as cancelled, even where the agent wrongly answers it with an error, or not at all. */
export function endBadly(session: PromptingSession, { turn, index, isCancelling }: ActiveTurn, error: unknown): void {
  const isForced = error === GIVEN_UP;
  if (isForced || error === NOT_SENT || (isCancelling && error instanceof RpcError)) {
    session.apply({ type: 'turn_ended', stopReason: 'cancelled' });
    turn.end({ stopReason: 'cancelled', isForced, summary: summarizeTurn(session.transcript, index) });
  } else {
    try {
      session.apply({ type: 'turn_failed', error: describeFailure(error) });
    } finally {
      // Nobody waits for ever because the transcript is broken.
      turn.fail(error);
    }
  }
}

/** Agents often say only in the data what has happened. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const details = error instanceof RpcError ? detailsOfError(error) : undefined;
  return details === undefined ? error.message : `${error.message}: ${details}`;
}
