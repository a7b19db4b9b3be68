import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Lines that were written before anybody asked for them; more make the input wait. */
const MAX_WAITING_LINES = 1000;

type Give = (line: string | undefined) => void;

/** Reads lines, one for whoever asked last. The terminal itself, or the pipe, does everything else. */
export class LineReader {
  readonly #interface: Interface;
  readonly #waiting: string[] = [];
  /** Who waits for a line: a question comes before the prompt, which waits longer. */
  readonly #wanted: Give[] = [];
  #hasEnded = false;

  constructor(input: Readable) {
    this.#interface = createInterface({ input, terminal: false });
    this.#interface.on('line', (line) => this.#take(line));
    this.#interface.on('close', () => {
      this.#hasEnded = true;
      for (const give of this.#wanted.splice(0)) give(undefined);
    });
  }

  /** The next line; undefined at the end of the input, or when `signal` aborts. */
  next(signal?: AbortSignal): Promise<string | undefined> {
    const line = this.#waiting.shift();
    if (line !== undefined) {
      this.#interface.resume();
      return Promise.resolve(line);
    }
    return this.nextNew(signal);
  }

  /** A line that is written from now on: what was written before a question is no answer to it. */
  nextNew(signal?: AbortSignal): Promise<string | undefined> {
    if (this.#hasEnded || signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const give: Give = (line) => {
        signal?.removeEventListener('abort', onAbort);
        resolve(line);
      };
      const onAbort = (): void => {
        const place = this.#wanted.indexOf(give);
        if (place >= 0) this.#wanted.splice(place, 1);
        resolve(undefined);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#wanted.push(give);
    });
  }

  close(): void {
    this.#interface.close();
  }

  #take(line: string): void {
    const give = this.#wanted.pop();
    if (give) return give(line);
    this.#waiting.push(line);
    if (this.#waiting.length >= MAX_WAITING_LINES) this.#interface.pause();
  }
}
