const DEFAULT_MAX_PARALLEL = 4;

/** How many may run at once; the others wait for their turn, in order. */
export class TaskSlots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number = DEFAULT_MAX_PARALLEL) {
    this.#free = Math.max(1, count);
  }

  /** Waits for a place and returns how to give it back. Rejects with the signal's reason when it aborts meanwhile. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    return () => this.#release();
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
