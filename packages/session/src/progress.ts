import { assertNever } from '@parley/jsonrpc';
import type { InputEntry, LogEntry, PromptInput } from './entry.ts';
import type { Question } from './question.ts';

/**
 * `queued`: its prompt waits for its turn. `running`: the agent works. `waiting`: it waits for an answer. `cancelling`: it was
 * asked to end. `ended`: nothing of it is left to do.
 */
export type TurnState = 'queued' | 'running' | 'waiting' | 'cancelling' | 'ended';

/** What is going on in a session, as its log tells: what an owner has to do, and what a viewer has to know. Immutable. */
export interface SessionProgress {
  /** The turn that has begun and not ended. */
  readonly turn: { readonly turnId: string; readonly isCancelling: boolean } | undefined;
  /** The inputs that nobody has acted on, oldest first. */
  readonly inputs: readonly WaitingInput[];
  /** The questions that nobody has answered, oldest first. */
  readonly questions: readonly OpenQuestion[];
}

/** A question and the turn that asks it. */
export interface OpenQuestion {
  readonly turnId: string;
  readonly question: Question;
}

export interface WaitingInput {
  readonly seq: number;
  readonly input: InputEntry;
}

export const NO_PROGRESS: SessionProgress = { turn: undefined, inputs: [], questions: [] };

/** The progress after an entry. Pure; an entry that changes nothing gives back the same object. */
export function applyEntry(progress: SessionProgress, entry: LogEntry, seq: number): SessionProgress {
  switch (entry.type) {
    case 'event':
    case 'turns_dropped':
      return progress;
    case 'turn_started':
      return {
        turn: { turnId: entry.turnId, isCancelling: false },
        inputs: progress.inputs.filter(({ input }) => !isPrompt(input, entry.turnId)),
        // What is still open was asked by a turn whose end nobody has written.
        questions: [],
      };
    case 'turn_ended':
      return {
        turn: progress.turn?.turnId === entry.turnId ? undefined : progress.turn,
        // Nobody has to act on inputs for a turn that has ended.
        inputs: progress.inputs.filter(
          ({ input }) => !isPrompt(input, entry.turnId) && !(input.type === 'cancel' && input.turnId === entry.turnId),
        ),
        questions: progress.questions.filter(({ turnId }) => turnId !== entry.turnId),
      };
    case 'question_asked':
      return { ...progress, questions: [...progress.questions, { turnId: entry.turnId, question: entry.question }] };
    case 'question_answered':
    case 'question_withdrawn':
      return {
        ...progress,
        questions: progress.questions.filter(({ question }) => question.questionId !== entry.questionId),
        inputs: progress.inputs.filter(
          ({ input }) => !(input.type === 'answer' && input.questionId === entry.questionId),
        ),
      };
    case 'input_taken':
      return { ...progress, inputs: progress.inputs.filter((each) => each.seq !== entry.seq) };
    case 'cancel': {
      const turn = progress.turn;
      const isForTurn = turn !== undefined && (entry.turnId === undefined || entry.turnId === turn.turnId);
      return {
        ...progress,
        turn: isForTurn ? { ...turn, isCancelling: true } : turn,
        inputs: [...progress.inputs, { seq, input: entry }],
      };
    }
    case 'prompt':
    case 'cancel_part':
    case 'answer':
    case 'change':
      return { ...progress, inputs: [...progress.inputs, { seq, input: entry }] };
    default:
      return assertNever(entry);
  }
}

/** A prompt that waits, and its number in the log. */
export interface QueuedPrompt {
  readonly seq: number;
  readonly input: PromptInput;
}

/** The prompts that wait, oldest first. */
export function queuedPrompts(progress: SessionProgress | undefined): QueuedPrompt[] {
  return (progress?.inputs ?? []).flatMap(({ seq, input }) => (input.type === 'prompt' ? [{ seq, input }] : []));
}

/** The state of a turn; `ended` also for one that the log never heard of. */
export function turnState(progress: SessionProgress, turnId: string): TurnState {
  const { turn, inputs, questions } = progress;
  if (turn?.turnId === turnId) {
    if (turn.isCancelling) return 'cancelling';
    return questions.length > 0 ? 'waiting' : 'running';
  }
  return inputs.some(({ input }) => isPrompt(input, turnId)) ? 'queued' : 'ended';
}

function isPrompt(input: InputEntry, promptId: string): boolean {
  return input.type === 'prompt' && input.promptId === promptId;
}
