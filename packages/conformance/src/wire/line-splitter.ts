import type { ReceivedFrame } from './wire.ts';

/** Longest line that is kept; what a peer sends beyond it is cut off. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Cuts bytes into lines and says what is odd about each. Blank lines are passed over. */
export class LineSplitter {
  readonly #onFrame: (frame: ReceivedFrame) => void;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(onFrame: (frame: ReceivedFrame) => void) {
    this.#onFrame = onFrame;
  }

  write(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#emit(true);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  end(): void {
    this.#emit(false);
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0 || this.#size >= MAX_LINE_BYTES) return;
    this.#parts.push(part);
    this.#size += part.length;
  }

  #emit(isTerminated: boolean): void {
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    const text = line.toString('utf8');
    if (text.trim() === '') return;
    this.#onFrame({ text, bytes: line.length, isUtf8: isUtf8(line), isTerminated });
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
