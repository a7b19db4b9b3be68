import type { LogEntry } from '@parley/session';
import type { Questions } from '../questions/questions.ts';
import type { SessionFacts } from './facts.ts';
import type { OwnerRequests } from './owner-requests.ts';
import type { SessionTurns } from './turns.ts';

/** The parts of a session that keep up with its log. */
export interface FollowingParts {
  readonly requests: OwnerRequests | undefined;
  readonly turns: SessionTurns;
  readonly questions: Questions;
  readonly facts: SessionFacts;
}

/** Keeps up with an entry of the log: of another process, or of this one when it is written. */
export function followEntry(
  { requests, turns, questions, facts }: FollowingParts,
  { entry, isOwn }: { readonly entry: LogEntry; readonly isOwn: boolean },
): void {
  requests?.see(entry);
  if (entry.type === 'input_taken' && entry.promptId !== undefined && entry.turnId !== undefined)
    turns.asked.join(entry.promptId, entry.turnId);
  if (isOwn) return;
  if (entry.type === 'event') facts.follow(entry.event);
  else if (entry.type === 'question_asked') questions.addForeign(entry.question, entry.turnId);
  else if (entry.type === 'question_answered' || entry.type === 'question_withdrawn')
    questions.removeForeign(entry.questionId);
  else if (entry.type === 'turn_ended' && !entry.neverBegan) questions.removeAllForeign();
}
