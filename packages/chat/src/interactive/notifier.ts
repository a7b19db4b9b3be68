/** What of a chat may be worth calling the person for. */
export interface ChatMoment {
  /** What the agent asks, oldest first. */
  readonly questions: readonly { readonly questionId: string }[];
  /** The turn that runs or has run last. */
  readonly turn: TurnMoment | undefined;
  /** A turn runs, or the next one is about to. */
  readonly isBusy: boolean;
}

export interface TurnMoment {
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly status: string;
}

export interface NotifierOptions {
  /** How long a turn must have taken for its end to be told. */
  readonly afterMs?: number;
  /** Calls the person, if they look elsewhere. */
  readonly call: (words: string) => void;
}

/** Whoever waited less has hardly looked away. */
const AFTER_MS = 5000;

/** Tells when a person who looks elsewhere is wanted: for a question, and when a turn that took a while has ended. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #asked = new Set<string>();
  #isBusy = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Looks at the chat after it may have changed. Each question and each end is told once. */
  look({ questions, turn, isBusy }: ChatMoment): void {
    const isNew = questions.some(({ questionId }) => !this.#asked.has(questionId));
    this.#asked.clear();
    for (const { questionId } of questions) this.#asked.add(questionId);
    if (isNew) this.#options.call('waiting for you');
    const hasEnded = this.#isBusy && !isBusy;
    this.#isBusy = isBusy;
    if (!hasEnded || turn?.startedAt === undefined) return;
    const lasted = (turn.endedAt ?? Date.now()) - turn.startedAt;
    if (lasted < (this.#options.afterMs ?? AFTER_MS)) return;
    this.#options.call(turn.status === 'failed' ? 'the turn has failed' : 'the turn has ended');
  }
}
