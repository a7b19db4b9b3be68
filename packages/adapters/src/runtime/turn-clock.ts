export interface TurnClockOptions {
  readonly timeoutMs: number | undefined;
  readonly idleTimeoutMs: number;
  readonly onTimeout: (because: string) => void;
}

/** How long a turn may take, and how long the command may be silent in it. Both stand still while a person is asked. */
export class TurnClock {
  readonly #options: TurnClockOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #questions = 0;
  #usedMs = 0;
  #since: number;
  #heardAt: number;

  constructor(options: TurnClockOptions) {
    this.#options = options;
    this.#since = performance.now();
    this.#heardAt = this.#since;
    this.#arm();
  }

  /** The command has said something. */
  hear(): void {
    this.#heardAt = performance.now();
  }

  hold(): void {
    this.#questions += 1;
    if (this.#questions > 1) return;
    this.#usedMs += performance.now() - this.#since;
    this.stop();
  }

  release(): void {
    this.#questions -= 1;
    if (this.#questions > 0) return;
    this.#since = performance.now();
    this.#heardAt = this.#since;
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #arm(): void {
    const { timeoutMs = Number.POSITIVE_INFINITY, idleTimeoutMs, onTimeout } = this.#options;
    const now = performance.now();
    const left = timeoutMs - this.#usedMs - (now - this.#since);
    const silence = idleTimeoutMs - (now - this.#heardAt);
    if (left <= 0) return onTimeout(`did not end its turn within ${seconds(timeoutMs)} (timeout in its description)`);
    if (silence <= 0) return onTimeout(`was silent for ${seconds(idleTimeoutMs)} (idleTimeout in its description)`);
    this.#timer = setTimeout(() => this.#arm(), Math.ceil(Math.min(left, silence, MAX_WAIT_MS)));
  }
}

/** Longer than this a timer of JavaScript does not wait. */
const MAX_WAIT_MS = 2 ** 31 - 1;

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
