/** Takes whole lines, without their ends. */
export interface LineListener {
  onLine(line: string): void;
  /** A line was longer than the limit, and was left out. */
  onLongLine(characters: number): void;
}

/** Splits a text that comes in chunks into lines, and never holds more than one line of `maxCharacters`. */
export class LineSplitter {
  readonly #listener: LineListener;
  readonly #maxCharacters: number;
  #begun = '';
  /** How much of a line that is too long has passed; 0 outside of one. */
  #skipped = 0;

  constructor(listener: LineListener, maxCharacters: number = DEFAULT_MAX_LINE_CHARACTERS) {
    this.#listener = listener;
    this.#maxCharacters = maxCharacters;
  }

  write(chunk: string): void {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      this.#add(chunk, start, end);
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk, start, chunk.length);
  }

  /** The text has ended; what has no line end is a line too. */
  end(): void {
    this.#finish();
  }

  #add(chunk: string, start: number, end: number): void {
    const length = end - start;
    if (this.#skipped > 0 || this.#begun.length + length > this.#maxCharacters) {
      this.#skipped += this.#begun.length + length;
      this.#begun = '';
    } else {
      this.#begun += chunk.slice(start, end);
    }
  }

  #finish(): void {
    const { onLine, onLongLine } = this.#listener;
    const [line, skipped] = [this.#begun, this.#skipped];
    this.#begun = '';
    this.#skipped = 0;
    if (skipped > 0) onLongLine(skipped);
    else if (line !== '' && line !== '\r') onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}

export const DEFAULT_MAX_LINE_CHARACTERS: number = 16 * 1024 * 1024;
