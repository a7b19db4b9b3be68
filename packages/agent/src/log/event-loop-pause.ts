/** How long updates may keep everything else in this process waiting: timers, and what a client sends. */
const MAX_BUSY_MS = 20;

/**
 * A loop that only awaits fulfilled promises never lets timers or input run, so that it could
 * not even be cancelled. This asks for a real pause now and then.
 */
export class EventLoopPause {
  #lastMs = 0;

  /** A promise when it is time for a pause. */
  take(): Promise<void> | undefined {
    const nowMs = Date.now();
    // A clock that was set back must not hold the next pause up.
    if (nowMs >= this.#lastMs && nowMs - this.#lastMs < MAX_BUSY_MS) return undefined;
    this.#lastMs = nowMs;
    return new Promise((resolve) => setTimeout(resolve, 0));
  }
}
