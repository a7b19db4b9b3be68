import type { Question } from '@parley/session';
import type { Clock } from '../clock.ts';

export interface OpenQuestionsOptions {
  readonly maxQuestions: number;
  readonly clock: Clock;
  readonly onQuestion: (question: Question) => void;
  readonly onAnswer: (question: Question, outcome: string) => void;
}

export interface AskOptions<Answer> {
  /** May answer at once or later; undefined leaves the question to `answer`. */
  readonly handler: ((signal: AbortSignal) => Answer | undefined | Promise<Answer | undefined>) | undefined;
  /** The answer when the turn is cancelled or the agent withdraws the question. */
  readonly cancelled: Answer;
  /** The answer when the handler fails or nobody answers in time. */
  readonly fallback: Answer;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The answer in a word, for the transcript. */
  readonly describe: (answer: Answer) => string;
  readonly onFailure: (error: unknown) => void;
}

interface OpenQuestion {
  readonly question: Question;
  readonly settle: (answer: unknown) => void;
  readonly cancel: () => void;
}

/** The questions of the agent that are open. Whoever answers first, answers; cancelling a turn answers all of its own. */
export class OpenQuestions {
  readonly #options: OpenQuestionsOptions;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(options: OpenQuestionsOptions) {
    this.#options = options;
  }

  list(): Question[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  get isFull(): boolean {
    return this.#open.size >= this.#options.maxQuestions;
  }

  find(questionId: string): Question | undefined {
    return this.#open.get(questionId)?.question;
  }

  ask<Answer>(question: Question, options: AskOptions<Answer>): Promise<Answer> {
    const { clock, onQuestion, onAnswer } = this.#options;
    const { handler, cancelled, fallback, timeoutMs, signal, describe, onFailure } = options;
    return new Promise((resolve) => {
      const controller = new AbortController();
      const cancelTimeout =
        timeoutMs === Number.POSITIVE_INFINITY ? undefined : clock.after(timeoutMs, () => settle(fallback));
      const onAbort = (): void => settle(cancelled);
      const settle = (answer: Answer): void => {
        if (!this.#open.delete(question.questionId)) return;
        cancelTimeout?.();
        signal.removeEventListener('abort', onAbort);
        controller.abort();
        onAnswer(question, describe(answer));
        resolve(answer);
      };
      this.#open.set(question.questionId, {
        question,
        settle: (answer) => settle(answer as Answer),
        cancel: () => settle(cancelled),
      });
      onQuestion(question);
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort);
      if (!handler) return;
      call(handler, controller.signal).then(
        (answer) => answer !== undefined && settle(answer),
        (error) => {
          // A handler that is told to stop may well say so with an error.
          if (!controller.signal.aborted) onFailure(error);
          settle(fallback);
        },
      );
    });
  }

  /** False when the question is no longer open: somebody else was first. */
  answer(questionId: string, answer: unknown): boolean {
    const open = this.#open.get(questionId);
    open?.settle(answer);
    return open !== undefined;
  }

  /** Answers the open questions of a session, or of all, with cancelled. */
  cancel(sessionId?: string): void {
    for (const { question, cancel } of [...this.#open.values()]) {
      if (sessionId === undefined || question.sessionId === sessionId) cancel();
    }
  }
}

/** Calls at once; what a handler throws becomes a rejection like any other. */
async function call<Answer>(
  handler: (signal: AbortSignal) => Answer | Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  return handler(signal);
}
