import type { Message } from '@parley/jsonrpc';
import { DEFAULT_NETWORK_HIGH_WATER_BYTES } from '../dial-options.ts';

export interface QueuedMessage {
  readonly message: Message;
  readonly json: string;
}

/** Posts messages one after the other, since requests on several connections would overtake each other. */
export class PostQueue {
  readonly #post: (entry: QueuedMessage) => Promise<void>;
  readonly #highWaterCharacters: number;
  #entries: QueuedMessage[] = [];
  #queuedCharacters = 0;
  #added = 0;
  #posted = 0;
  #isRunning = false;
  #isStopped = false;
  #waits: { readonly until: number; readonly release: () => void }[] = [];

  /** `post` must not reject. */
  constructor(
    post: (entry: QueuedMessage) => Promise<void>,
    highWaterBytes: number = DEFAULT_NETWORK_HIGH_WATER_BYTES,
  ) {
    this.#post = post;
    this.#highWaterCharacters = highWaterBytes;
  }

  add(message: Message, json: string): void | Promise<void> {
    this.#entries.push({ message, json });
    this.#added += 1;
    this.#queuedCharacters += json.length;
    if (!this.#isRunning) void this.#run();
    if (this.#queuedCharacters > this.#highWaterCharacters) return this.whenSent();
  }

  /** Resolves when everything that was added so far is posted, or never will be. */
  whenSent(): Promise<void> {
    const until = this.#added;
    if (this.#isStopped || this.#posted >= until) return Promise.resolve();
    return new Promise((release) => this.#waits.push({ until, release }));
  }

  /** Drops what was not posted. */
  stop(): void {
    this.#isStopped = true;
    this.#entries = [];
    for (const { release } of this.#waits.splice(0)) release();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // In a later turn, so that nothing is posted inside the call to `send`.
    await Promise.resolve();
    for (let next = 0; next < this.#entries.length; next += 1) {
      const entry = this.#entries[next];
      if (!entry) break;
      await this.#post(entry);
      this.#posted += 1;
      this.#queuedCharacters -= entry.json.length;
      while (this.#waits[0] && this.#waits[0].until <= this.#posted) this.#waits.shift()?.release();
      if (next >= MAX_POSTED_KEPT) {
        this.#entries.splice(0, next + 1);
        next = -1;
      }
    }
    this.#entries = [];
    this.#isRunning = false;
  }
}

/** Posted messages are forgotten in bunches, since taking the first off a long list moves all the others. */
const MAX_POSTED_KEPT = 256;
