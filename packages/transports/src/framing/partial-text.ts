import type { TextCodec } from './text-codec.ts';

/**
 * Collects the text of a frame that arrives in pieces. Each piece is decoded at once, so its bytes are free and a large
 * frame is held only once; a character cut in two waits for its other half.
 */
export class PartialText {
  readonly #codec: TextCodec;
  #text = '';
  #cutCharacter: Uint8Array = NOTHING;

  constructor(codec: TextCodec) {
    this.#codec = codec;
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    const rest = this.#cutCharacter.length === 0 ? start : this.#mend(bytes, start, end);
    if (rest === end) return;
    const cut = lastCharacterBoundary(bytes, rest, end);
    if (cut > rest) this.#text += this.#codec.utf8(bytes, rest, cut);
    if (cut < end) this.#cutCharacter = bytes.slice(cut, end);
  }

  /** Appends what is known to be ASCII, and therefore completes no character. */
  appendAscii(text: string): void {
    this.#endCutCharacter();
    this.#text += text;
  }

  take(): string {
    this.#endCutCharacter();
    const text = this.#text;
    this.clear();
    return text;
  }

  clear(): void {
    this.#text = '';
    this.#cutCharacter = NOTHING;
  }

  #endCutCharacter(): void {
    const cut = this.#cutCharacter;
    if (cut.length > 0) this.#text += this.#codec.utf8(cut, 0, cut.length);
    this.#cutCharacter = NOTHING;
  }

  /** Completes the cut character from the start of the next piece; returns where the rest of that piece begins. */
  #mend(bytes: Uint8Array, start: number, end: number): number {
    const head = this.#cutCharacter;
    const missing = characterLength(head[0]) - head.length;
    let next = start;
    while (next < end && next - start < missing && isContinuation(bytes[next])) next += 1;
    const character = new Uint8Array(head.length + next - start);
    character.set(head);
    character.set(bytes.subarray(start, next), head.length);
    if (next === end && next - start < missing) {
      this.#cutCharacter = character;
      return end;
    }
    this.#cutCharacter = NOTHING;
    this.#text += this.#codec.utf8(character, 0, character.length);
    return next;
  }
}

const NOTHING = new Uint8Array(0);

/** Where to cut so that no character which the next piece may complete is decoded too early. */
function lastCharacterBoundary(bytes: Uint8Array, start: number, end: number): number {
  for (let index = end - 1; index >= start && index > end - 4; index -= 1) {
    if (isContinuation(bytes[index])) continue;
    return index + characterLength(bytes[index]) > end ? index : end;
  }
  return end;
}

function isContinuation(byte = 0): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

function characterLength(lead = 0): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
