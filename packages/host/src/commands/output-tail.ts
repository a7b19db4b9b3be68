/**
 * The last bytes of an endless output, cut so that no character is torn. Chunks are kept as they came and joined only
 * when somebody looks.
 */
export class OutputTail {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isTruncated = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  append(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Cutting only at twice the limit keeps the work in proportion to what arrives.
    if (this.#bytes > 2 * this.#maxBytes + SLACK_BYTES) this.#cut();
  }

  read(): { readonly output: string; readonly isTruncated: boolean } {
    if (this.#bytes > this.#maxBytes) this.#cut();
    return { output: Buffer.concat(this.#chunks).toString('utf8'), isTruncated: this.#isTruncated };
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks);
    let start = all.length - this.#maxBytes;
    // A byte of the form 10xxxxxx goes on with a character that began before the cut.
    while (start < all.length && ((all[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start += 1;
    const kept = Buffer.from(all.subarray(start));
    this.#chunks = [kept];
    this.#bytes = kept.length;
    this.#isTruncated = true;
  }
}

/** So that tiny limits do not cut at every chunk. */
const SLACK_BYTES = 64 * 1024;
