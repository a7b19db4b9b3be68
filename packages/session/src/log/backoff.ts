const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/** Pauses before something that failed is tried again: each twice as long as the one before, up to half a minute. */
export class Backoff {
  #nextMs = FIRST_PAUSE_MS;

  /** Ends early when the signal aborts. */
  pause(signal: AbortSignal): Promise<void> {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, LONGEST_PAUSE_MS);
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
    });
  }
}
