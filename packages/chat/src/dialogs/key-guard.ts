/** A question that appears under the fingers of somebody who is typing must not take a letter for an answer. */
export const INERT_MS: number = 300;

/** Ignores keys for a moment after a question has come, and for as long as the typing goes on. */
export class KeyGuard {
  #inertUntil: number;
  #writingUntil = 0;

  constructor(now: number) {
    this.#inertUntil = now + INERT_MS;
  }

  /** Whether a key that comes now counts. */
  admits(now: number): boolean {
    if (now >= this.#inertUntil) return true;
    this.#inertUntil = now + INERT_MS;
    return false;
  }

  /** Something is being written beside the question. */
  write(now: number): void {
    this.#writingUntil = now + INERT_MS;
  }

  /** Whether something was being written a moment ago. */
  isWriting(now: number): boolean {
    return now < this.#writingUntil;
  }
}
