import { StringDecoder } from 'node:string_decoder';

/** Keeps the last characters of a text that may be endless. */
export class TextTail {
  readonly #decoder = new StringDecoder('utf8');
  readonly #maxCharacters: number;
  #text = '';

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Returns the text of the chunk. */
  append(chunk: Buffer): string {
    const text = this.#decoder.write(chunk);
    this.#text += text;
    // Cutting at twice the limit keeps the work linear in what arrives.
    if (this.#text.length > 2 * this.#maxCharacters) this.#text = this.#text.slice(-this.#maxCharacters);
    return text;
  }

  toString(): string {
    return this.#text.slice(-this.#maxCharacters);
  }
}
