import type { TextCodec } from './text-codec.ts';

/** Pieces are decoded together from this size on: large enough for Node to keep the text outside of V8's heap. */
const MAX_PENDING_BYTES = 2 * 1024 * 1024;

/** A peer that sends byte by byte must not make us keep an object for each of them. */
const MAX_PENDING_PIECES = 1024;

/** Collects the text of a frame that arrives in pieces, also when one of them ends inside a character. */
export class PartialText {
  readonly #codec: TextCodec;
  #text = '';
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  constructor(codec: TextCodec) {
    this.#codec = codec;
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    this.#pending.push(bytes.subarray(start, end));
    this.#pendingBytes += end - start;
    if (this.#pendingBytes >= MAX_PENDING_BYTES || this.#pending.length >= MAX_PENDING_PIECES) this.#decodePending();
  }

  take(): string {
    const bytes = this.#joinPending();
    const text = this.#text + this.#codec.utf8(bytes, 0, bytes.length);
    this.clear();
    return text;
  }

  clear(): void {
    this.#text = '';
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #decodePending(): void {
    const bytes = this.#joinPending();
    const end = lastCharacterBoundary(bytes);
    this.#text += this.#codec.utf8(bytes, 0, end);
    this.#pending = [bytes.slice(end)];
    this.#pendingBytes = bytes.length - end;
  }

  #joinPending(): Uint8Array {
    const joined = new Uint8Array(this.#pendingBytes);
    let offset = 0;
    for (const piece of this.#pending) {
      joined.set(piece, offset);
      offset += piece.length;
    }
    return joined;
  }
}

/** Where to cut so that no character is decoded which the next piece may complete. */
function lastCharacterBoundary(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let index = length - 1; index >= 0 && index > length - 4; index -= 1) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80) return length;
    if (byte >= 0xc0) return index + characterLength(byte) > length ? index : length;
  }
  return length;
}

function characterLength(lead: number): number {
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
