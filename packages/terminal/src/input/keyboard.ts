import type { ReadStream } from 'node:tty';
import type { Key } from './key.ts';
import { KeyDecoder } from './key-decoder.ts';

/** An Escape that nothing has followed for so long is the key itself. Slow lines need some time. */
const ESCAPE_MS = 50;

export interface KeyboardEvents {
  readonly onKey: (key: Key) => void;
  /** The window has got or lost the keyboard. Only terminals that were asked tell that. */
  readonly onFocus?: (isInFront: boolean) => void;
  /** The terminal has answered a question of ours. */
  readonly onAnswer?: (answer: string) => void;
}

/** Reads keys from a terminal that is in raw mode. */
export class Keyboard {
  readonly #input: ReadStream;
  readonly #onKey: (key: Key) => void;
  readonly #decoder: KeyDecoder;
  readonly #read = (chunk: string): void => this.#take(chunk);
  #timer: NodeJS.Timeout | undefined;

  constructor(input: ReadStream, { onKey, onFocus, onAnswer }: KeyboardEvents) {
    this.#input = input;
    this.#onKey = onKey;
    this.#decoder = new KeyDecoder(onFocus, onAnswer);
  }

  start(): void {
    this.#input.setEncoding('utf8');
    this.#input.on('data', this.#read);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#input.off('data', this.#read);
  }

  #take(chunk: string): void {
    clearTimeout(this.#timer);
    for (const key of this.#decoder.push(chunk)) this.#onKey(key);
    if (!this.#decoder.isWaiting) return;
    this.#timer = setTimeout(() => {
      for (const key of this.#decoder.flush()) this.#onKey(key);
    }, ESCAPE_MS);
  }
}
