import { fieldsOf } from '../../messages/message.ts';
import { type Answer, answerWithin, describeAnswer, requireResult } from '../../probe/answer.ts';
import type { Session } from '../../probe/session.ts';
import { notProvoked, unmet } from '../../verdict.ts';
import type { CheckContext } from './check-context.ts';

/** A turn that was cancelled on the way. */
export interface CancelledTurn {
  readonly session: Session;
  readonly answer: Answer;
  /** From the cancel to the answer; negative when the turn had ended before. */
  readonly afterMs: number;
}

/** How long the first update may take before we cancel all the same. */
const FIRST_UPDATE_MS = 3000;

/** Cancels a long turn, once per run: after its first update, and if that was too late, at once. */
export function cancelTurn(context: CheckContext): Promise<CancelledTurn> {
  return context.once('cancelled turn', async () => {
    await context.requireTurns();
    const first = await attempt(context, FIRST_UPDATE_MS);
    return stopReasonOf(first.answer) === 'cancelled' || !isQuick(first, context) ? first : attempt(context, 0);
  });
}

async function attempt(context: CheckContext, patienceMs: number): Promise<CancelledTurn> {
  const { newSession, prompts, limits } = context;
  const session = await newSession();
  const turn = session.begin(prompts.longTurn);
  await turn.begun;
  if (patienceMs > 0) {
    const update = session.awaitUpdate(turn.mark, Math.min(patienceMs, limits.turnMs));
    await Promise.race([update, turn.answer]);
  }
  const cancelledAt = performance.now();
  let answeredAt: number | undefined;
  void turn.answer.then(() => {
    answeredAt = performance.now();
  });
  await Promise.resolve();
  if (answeredAt !== undefined) return { session, answer: await turn.answer, afterMs: -1 };
  session.cancel();
  const answer = await answerWithin(turn.answer, limits.turnMs);
  return { session, answer, afterMs: performance.now() - cancelledAt };
}

/** The cancelled turn; fails unless it says so. */
export async function requireCancelledTurn(context: CheckContext): Promise<CancelledTurn> {
  const turn = await cancelTurn(context);
  const { stopReason } = requireResult(turn.answer, 'session/prompt');
  if (stopReason === 'cancelled') return turn;
  if (isQuick(turn, context)) {
    notProvoked('The turn had ended before it could be cancelled. Give a longer one with --prompt-for-long-turn.');
  }
  return unmet(
    'stopReason "cancelled"',
    `${describeAnswer(turn.answer)}, ${Math.round(turn.afterMs)} ms after the cancel`,
  );
}

/** Whether a turn that ended well may simply not have seen the cancel in time. */
function isQuick({ answer, afterMs }: CancelledTurn, { limits }: CheckContext): boolean {
  return answer.kind === 'result' && afterMs < limits.cancelMs / 10;
}

function stopReasonOf(answer: Answer): unknown {
  return answer.kind === 'result' ? fieldsOf(answer.result).stopReason : undefined;
}
