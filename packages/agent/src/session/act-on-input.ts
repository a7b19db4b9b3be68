import { assertNever } from '@parley/jsonrpc';
import type { WaitingInput } from '@parley/session';
import { changeSetting } from './change-session.ts';
import type { OwnedSession } from './owned-session.ts';

/** Does what was asked of the owner of a session through its log. */
export async function actOnInput(session: OwnedSession, { seq, input }: WaitingInput): Promise<void> {
  const taken = (error?: string): void =>
    session.record({ type: 'input_taken', seq, ...(error !== undefined && { error }) });
  switch (input.type) {
    case 'prompt':
      if (input.steers) session.turns.tellMessage();
      return session.turns.runNext();
    case 'cancel':
      // The end of the abandoned turn settles this input too.
      if (input.hasLeft && session.turns.isQueued(input.turnId)) return session.turns.runNext();
      session.turns.cancelTurn(input.turnId);
      return taken();
    case 'cancel_part':
      if (session.turns.running?.cancelPart(input.part)) return taken();
      return taken('It has ended, or cannot be cancelled by itself.');
    case 'answer':
      if (session.questions.answer(input.questionId, input.answer, input.by)) return taken();
      return taken('The question is no longer open.');
    case 'change':
      try {
        await changeSetting(session, input);
        return taken();
      } catch (error) {
        return taken(error instanceof Error ? error.message : String(error));
      }
    default:
      return assertNever(input);
  }
}
