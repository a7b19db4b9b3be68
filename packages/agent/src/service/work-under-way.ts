/** What is under way for one client, so that its end can be waited for. */
export class WorkUnderWay {
  readonly #work = new Set<Promise<unknown>>();

  add<T>(work: Promise<T>): Promise<T> {
    const forget = (): void => void this.#work.delete(ended);
    const ended: Promise<unknown> = work.then(forget, forget);
    this.#work.add(ended);
    return work;
  }

  /** Resolves when all of it has ended, and at the latest after this time: a handler that was told to stop may not. */
  async wait(timeoutMs: number): Promise<void> {
    if (this.#work.size === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([Promise.all(this.#work), deadline]);
    clearTimeout(timer);
  }
}
