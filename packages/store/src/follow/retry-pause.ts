const FIRST_MS = 100;
const LONGEST_MS = 5000;

/**
 * How long to wait before a question that nobody waits for is asked again after a fault: each time twice as long. A file
 * that cannot be opened costs a thread with every question.
 */
export class RetryPause {
  #nextMs = FIRST_MS;

  /** The pause after one more fault. */
  next(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, LONGEST_MS);
    return ms;
  }

  /** It worked. */
  reset(): void {
    this.#nextMs = FIRST_MS;
  }
}
