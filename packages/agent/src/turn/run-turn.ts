import { RpcError } from '@parley/jsonrpc';
import type { Extra, StopReason } from '@parley/session';
import type { AgentDefinition } from '../contract/definition.ts';
import type { Meta } from '../contract/session.ts';
import type { TokenCount, TurnResult } from '../contract/turn.ts';
import {
  CapabilityError,
  ClientRefusedError,
  LogFailedError,
  programChanged,
  TurnError,
  TurnInterruptedError,
} from '../errors.ts';
import { storeError } from '../refusals.ts';
import type { RunningTurn } from './running-turn.ts';

export interface TurnOutcome {
  readonly stopReason: StopReason;
  readonly meta?: Meta;
  readonly tokens?: TokenCount;
  readonly extra?: Extra;
}

/** What diagnostics of a turn are about. */
const PROMPT = { direction: 'in', method: 'session/prompt' } as const;

type Ending = { readonly outcome: TurnOutcome } | { readonly error: unknown };

const CANCELLED: TurnOutcome = { stopReason: 'cancelled' };
const STOP_REASONS: ReadonlySet<string> = new Set<StopReason>([
  'end_turn',
  'max_tokens',
  'max_turn_requests',
  'refusal',
  'cancelled',
]);

/**
 * Runs a turn to its end. When this resolves, all that the turn said has been sent and logged, and nothing of it is left. It
 * begins before it first waits, so that a cancel right behind a prompt finds the turn.
 */
export async function runTurn(turn: RunningTurn): Promise<TurnOutcome> {
  const { session, asker } = turn;
  const place = session.turns.begin(turn);
  try {
    // A client that is behind is first shown everything before its prompt; then the turn waits for this client's reading.
    const behind = asker && session.viewers.whenLevel(asker);
    if (behind) await levelOrCancelled(turn, behind);
    if (behind && turn.isCancelled) return CANCELLED;
    const holding = session.hold();
    if (holding && !(await isHeld(turn, holding))) return CANCELLED;
    try {
      return await work(turn, { isShared: holding !== undefined });
    } finally {
      // The next prompt that waits begins here, before another process can take the session.
      place.release();
      await session.release();
    }
  } finally {
    place.release();
    place.close();
  }
}

/** Waits until the client has seen everything, or no longer wants the turn. */
function levelOrCancelled({ signal }: RunningTurn, behind: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    void behind.then(end);
  });
}

/** Whether the session is ours to work in. When it is not, a turn that was cancelled meanwhile need not say so. */
async function isHeld(turn: RunningTurn, holding: Promise<unknown>): Promise<boolean> {
  const { session } = turn;
  try {
    await holding;
    return true;
  } catch (error) {
    if (turn.isCancelled) return false;
    session.report({ kind: 'log_failed', message: 'A turn could not begin: its session is not to be had.', error });
    const refusal = storeError(error, session.id);
    throw refusal instanceof RpcError ? refusal : toRpcError(new LogFailedError(error));
  }
}

async function work(turn: RunningTurn, { isShared }: { readonly isShared: boolean }): Promise<TurnOutcome> {
  const { session } = turn;
  session.turns.recordStart(turn);
  turn.markInserted();
  // Others may be asked for the same prompt when this process is lost: that it has begun is in the log before anything is done.
  const logged = isShared ? session.whenShown() : undefined;
  if (logged) await logged;
  const failure = failureOf(turn);
  const ending = failure ? { error: failure } : await waitForEnd(turn, session.definition);
  if (turn.answered) await turn.answered;
  // Open tool calls and plans are closed with further updates, for which there must be room.
  if (turn.hasUnfinished) await session.whenShown();
  turn.end('outcome' in ending && ending.outcome.stopReason === 'end_turn');
  return conclude(turn, ending);
}

/** The handler's end, or the moment when it is no longer waited for. Never rejects. */
function waitForEnd(turn: RunningTurn, definition: AgentDefinition): Promise<Ending> {
  const { cancelGraceMs } = definition.limits;
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAbort = (): void => {
      timer = setTimeout(() => {
        const message = `A cancelled turn did not end within ${cancelGraceMs} ms; heed turn.signal in the prompt handler.`;
        turn.session.report({ ...PROMPT, kind: 'turn_abandoned', message });
        resolve({ outcome: CANCELLED });
      }, cancelGraceMs);
    };
    turn.signal.addEventListener('abort', onAbort, { once: true });
    if (turn.signal.aborted) onAbort();
    void callHandler(turn, definition).then((ending) => {
      turn.signal.removeEventListener('abort', onAbort);
      clearTimeout(timer);
      resolve(ending);
    });
  });
}

async function callHandler(turn: RunningTurn, { onPrompt, commandHandlers }: AgentDefinition): Promise<Ending> {
  try {
    const name = commandHandlers.size > 0 ? turn.command?.name : undefined;
    const handler = (name !== undefined && commandHandlers.get(name)) || onPrompt;
    return { outcome: readResult((await handler(turn)) ?? undefined, turn.session.definition.isRelay) };
  } catch (error) {
    return { error };
  }
}

function readResult(result: TurnResult, isRelay: boolean): TurnOutcome {
  const outcome = typeof result === 'object' ? result : { stopReason: result ?? 'end_turn' };
  if (isRelay || STOP_REASONS.has(outcome.stopReason)) return outcome;
  throw new TypeError(`A prompt handler returned ${JSON.stringify(outcome.stopReason)}, which is no stop reason.`);
}

/** A cancelled turn ends as cancelled, whatever its handler or the log did. */
async function conclude(turn: RunningTurn, ending: Ending): Promise<TurnOutcome> {
  const { session, id: turnId, isCancelled } = turn;
  const failure = failureOf(turn);
  if (isCancelled || (!failure && 'outcome' in ending)) {
    const outcome = outcomeOf(ending, isCancelled);
    const { stopReason, meta, extra } = outcome;
    const tokens = turn.tokens ?? outcome.tokens;
    const beside = { ...(meta && { meta }), ...(tokens && { tokens }), ...(extra && { extra }) };
    session.turns.recordEnd({ turnId, stopReason, ...beside });
    await settle(turn, isCancelled);
    return tokens ? { ...outcome, tokens } : outcome;
  }
  const thrown = failure ?? ('error' in ending ? ending.error : undefined);
  const error = toRpcError(thrown);
  if (!failure) session.report({ ...PROMPT, kind: 'turn_failed', message: 'A prompt handler failed.', error: thrown });
  const { code, message, data } = error;
  session.turns.recordEnd({ turnId, error: { code, message, ...(data !== undefined && { data }) } });
  await settle(turn, true);
  throw error;
}

/** Why the turn could not go on, whatever its handler says. */
function failureOf({ signal: { reason } }: RunningTurn): LogFailedError | TurnInterruptedError | undefined {
  return reason instanceof LogFailedError || reason instanceof TurnInterruptedError ? reason : undefined;
}

/** What a handler says beside `cancelled` counts, and nothing else that it says of a turn that was cancelled. */
function outcomeOf(ending: Ending, isCancelled: boolean): TurnOutcome {
  if ('error' in ending) return CANCELLED;
  return isCancelled && ending.outcome.stopReason !== 'cancelled' ? CANCELLED : ending.outcome;
}

/** A log that cannot be written is reported by the session; `isLenient` when there is an answer all the same. */
async function settle({ session, asker }: RunningTurn, isLenient: boolean): Promise<void> {
  try {
    await session.settle();
  } catch (error) {
    if (!isLenient) throw toRpcError(error);
  }
  // The client may have loaded the session meanwhile; the answer to its prompt comes after the replay.
  if (asker) await session.viewers.whenLevel(asker);
}

/** The client gets only error texts that the author wrote for it. */
function toRpcError(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  if (thrown instanceof LogFailedError || thrown instanceof TurnInterruptedError)
    return RpcError.internalError(thrown.message, { reason: thrown.code });
  if (thrown instanceof TurnError) {
    return thrown.rpcCode === undefined
      ? RpcError.internalError(thrown.message, thrown.data)
      : new RpcError(thrown.rpcCode, thrown.message, thrown.data);
  }
  if (thrown instanceof CapabilityError || thrown instanceof ClientRefusedError)
    return RpcError.internalError(thrown.message, { reason: thrown.code });
  return (
    programChanged(thrown) ??
    RpcError.internalError('The agent failed while it worked on this prompt; its log says why.')
  );
}
