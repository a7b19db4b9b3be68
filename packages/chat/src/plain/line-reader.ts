import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A terminal, or a pipe. */
export type LineInput = Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** Lines that were written before anybody asked for them; more make the input wait. */
const MAX_WAITING_LINES = 1000;

type Give = (line: string | undefined) => void;

/** Reads lines, one for whoever asked last. The terminal itself, or the pipe, does everything else. */
export class LineReader {
  readonly #input: LineInput;
  readonly #interface: Interface;
  readonly #waiting: string[] = [];
  /** Who waits for a line: a question comes before the prompt, which waits longer. */
  readonly #wanted: Give[] = [];
  #hasEnded = false;
  /** What was typed of a secret before it was given up belongs to no line. */
  #hasPart = false;

  constructor(input: LineInput) {
    this.#input = input;
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
      // Since Node 24 a closed interface throws when it is resumed.
      if (!this.#hasEnded) this.#interface.resume();
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

  /** The same, without the terminal showing what is typed; undefined also after Ctrl-C and Ctrl-D. `invite` asks for it. */
  async nextSecret(invite: () => void, signal: AbortSignal): Promise<string | undefined> {
    if (!this.#input.isTTY) {
      invite();
      return this.next(signal);
    }
    const stopped = new AbortController();
    const onData = (typed: Buffer | string): void => {
      const text = String(typed);
      // A raw terminal sends no signals by itself.
      if (text.includes(CTRL_C)) process.kill(process.pid, 'SIGINT');
      if (!text.includes(CTRL_C) && !text.includes(CTRL_D)) return;
      this.#hasPart = true;
      stopped.abort();
    };
    this.#input.setRawMode?.(true);
    this.#input.on('data', onData);
    // Who answers at once must find the terminal silent already.
    invite();
    try {
      const line = await this.nextNew(AbortSignal.any([signal, stopped.signal]));
      return line === undefined ? undefined : withoutErased(line);
    } finally {
      this.#input.off('data', onData);
      this.#input.setRawMode?.(false);
    }
  }

  close(): void {
    this.#interface.close();
  }

  #take(read: string): void {
    const line = this.#hasPart ? read.slice(Math.max(read.lastIndexOf(CTRL_C), read.lastIndexOf(CTRL_D)) + 1) : read;
    this.#hasPart = false;
    const give = this.#wanted.pop();
    if (give) return give(line);
    this.#waiting.push(line);
    if (this.#waiting.length >= MAX_WAITING_LINES && !this.#hasEnded) this.#interface.pause();
  }
}

const [CTRL_C, CTRL_D] = ['\u0003', '\u0004'];
const CTRL_U = '\u0015';

/** A raw terminal leaves it to us to erase: Backspace takes a character away, Ctrl-U all of them. */
function withoutErased(line: string): string {
  const kept: string[] = [];
  for (const character of line) {
    if (character === CTRL_U) kept.length = 0;
    else if (character === '\u007f' || character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}
