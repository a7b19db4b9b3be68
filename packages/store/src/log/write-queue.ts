import { StoreError } from '../contract/errors.ts';

/** What a call or an event takes besides its text, roughly: many small ones fill the memory too. */
export const OVERHEAD_BYTES = 64;

/** How much waits to be written, over all sessions of a store. */
export class WriteQueue {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts these bytes until the write is done; refuses them when too many wait already. */
  async run<Result>(bytes: number, write: () => Promise<Result>): Promise<Result> {
    const counted = bytes + OVERHEAD_BYTES;
    if (this.#bytes > 0 && this.#bytes + counted > this.#maxBytes) {
      const message = `More than ${this.#maxBytes} bytes wait to be written to the session store; wait for earlier calls before the next.`;
      throw new StoreError('store_overloaded', message);
    }
    this.#bytes += counted;
    try {
      return await write();
    } finally {
      this.#bytes -= counted;
    }
  }
}
