/** So much may come at once after a quiet time, in seconds of the rate. */
const BURST_SECONDS = 2;

/** Counts what comes against a rate. What is not used is saved for a burst. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #now: () => number;
  #tokens: number;
  #filledAt: number;

  constructor(perSecond: number, now: () => number = performance.now.bind(performance)) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#tokens = perSecond * BURST_SECONDS;
    this.#filledAt = now();
  }

  /** Takes so many if they are there; else says in how many milliseconds they will be. */
  take(count: number): number {
    this.#fill();
    if (this.#tokens >= count) {
      this.#tokens -= count;
      return 0;
    }
    return this.#waitMs(count);
  }

  /** Takes so many in any case, and says how long to wait until that is paid back. */
  spend(count: number): number {
    this.#fill();
    this.#tokens -= count;
    return this.#waitMs(0);
  }

  #fill(): void {
    const now = this.#now();
    const earned = ((now - this.#filledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#perSecond * BURST_SECONDS, this.#tokens + earned);
    this.#filledAt = now;
  }

  #waitMs(count: number): number {
    return this.#tokens >= count ? 0 : Math.ceil(((count - this.#tokens) / this.#perSecond) * 1000);
  }
}
