import { decodeBytes } from './base64.ts';

/**
 * Reads what the terminals of one session write. Each piece is base64 of its own, and a character may begin in one and end in the
 * next; its first bytes are kept until then.
 */
export class TerminalTexts {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The begun character of each terminal that has one. */
  readonly #begun = new Map<string, Uint8Array>();

  /** The text that a piece adds. Undefined when it is no base64. */
  add(terminalId: string, data: string): string | undefined {
    const bytes = decodeBytes(data);
    return bytes && this.#decode(terminalId, join(this.#begun.get(terminalId), bytes));
  }

  /** The text of all that a terminal has written, which replaces what came before. Undefined when it is no base64. */
  replace(terminalId: string, data: string): string | undefined {
    const bytes = decodeBytes(data);
    return bytes && this.#decode(terminalId, bytes);
  }

  #decode(terminalId: string, bytes: Uint8Array): string {
    const end = bytes.length - begunLength(bytes);
    if (end < bytes.length) this.#begun.set(terminalId, bytes.slice(end));
    else this.#begun.delete(terminalId);
    return this.#decoder.decode(bytes.subarray(0, end));
  }
}

function join(begun: Uint8Array | undefined, bytes: Uint8Array): Uint8Array {
  if (!begun) return bytes;
  const joined = new Uint8Array(begun.length + bytes.length);
  joined.set(begun);
  joined.set(bytes, begun.length);
  return joined;
}

/** How many bytes at the end begin a character that is not complete. */
function begunLength(bytes: Uint8Array): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count += 1) {
    const byte = bytes[bytes.length - count] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (!isContinuation) return count < characterLength(byte) ? count : 0;
  }
  return 0;
}

function characterLength(first: number): number {
  if (first < 0xc0 || first >= 0xf8) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
