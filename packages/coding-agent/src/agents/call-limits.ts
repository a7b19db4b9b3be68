export interface CallLimitsOptions {
  readonly maxToolCalls: number;
  readonly maxDurationMs: number;
  /** Told once, in words, when one of them is reached. */
  readonly onReached: (because: string) => void;
}

/** How far one call of another agent may go. While a person is asked the clock stands still. */
export class CallLimits implements Disposable {
  readonly #options: CallLimitsOptions;
  readonly #toolCalls = new Set<string>();
  #leftMs: number;
  #since = 0;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;
  #isReached = false;

  constructor(options: CallLimitsOptions) {
    this.#options = options;
    this.#leftMs = options.maxDurationMs;
    this.#run();
  }

  countToolCall(toolCallId: string): void {
    const { maxToolCalls } = this.#options;
    this.#toolCalls.add(toolCallId);
    if (this.#toolCalls.size > maxToolCalls) this.#reach(`it called more than the ${maxToolCalls} tools it may call`);
  }

  /** Waits for a person, whose time does not count. */
  async whileAsked<Answer>(answer: Promise<Answer>): Promise<Answer> {
    if (this.#waiting++ === 0) this.#pause();
    try {
      return await answer;
    } finally {
      if (--this.#waiting === 0) this.#run();
    }
  }

  [Symbol.dispose](): void {
    this.#isReached = true;
    clearTimeout(this.#timer);
  }

  #run(): void {
    if (this.#isReached) return;
    this.#since = Date.now();
    const seconds = Math.round(this.#options.maxDurationMs / 1000);
    this.#timer = setTimeout(() => this.#reach(`it worked for more than the ${seconds} s it may take`), this.#leftMs);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#leftMs = Math.max(0, this.#leftMs - (Date.now() - this.#since));
  }

  #reach(because: string): void {
    if (this.#isReached) return;
    this.#isReached = true;
    clearTimeout(this.#timer);
    this.#options.onReached(because);
  }
}
