/** What has changed and was not told yet; the same thing is told once. Ends with its signal. */
export class ChangeQueue<Value> implements AsyncIterable<Value> {
  readonly #signal: AbortSignal;
  readonly #waiting = new Map<string, Value>();
  #wake: () => void = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  push(key: string, value: Value): void {
    this.#waiting.set(key, value);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    while (!this.#signal.aborted) {
      const [next] = this.#waiting;
      if (next) {
        this.#waiting.delete(next[0]);
        yield next[1];
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
