import type { SessionEvent } from '@parley/protocol';
import type { NewEvent } from '@parley/store';
import { LogFailedError } from '../errors.ts';
import { type EventPipe, type EventPipeOptions, toNewEvent } from './event-pipe.ts';
import { GrowingChunk } from './growing-chunk.ts';

/** Events that are collected before they go to the log together. */
const MAX_HELD_EVENTS = 256;

/**
 * For a log in memory, which no crash outlives: events are shown at once, and logged in batches. Nothing is scheduled per
 * event; after a batch the caller is asked to wait, so that a loop that never stops by itself lets the log take it.
 */
export class PublishFirstPipe<Audience> implements EventPipe<Audience> {
  readonly #options: EventPipeOptions<Audience>;
  readonly #held: NewEvent[] = [];
  /** The text that may still grow, kept apart from `#held`. */
  #growing: GrowingChunk | undefined;
  #head: number;
  #appended: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(options: EventPipeOptions<Audience>) {
    this.#options = options;
    this.#head = options.head;
  }

  push(event: SessionEvent, audience?: Audience): void | Promise<void> {
    const result = this.#options.publish(event, audience);
    if (this.#growing?.add(event)) return result;
    const logging = this.#hold(event);
    return result ?? logging;
  }

  pass(event: SessionEvent, audience?: Audience): void | Promise<void> {
    return this.#options.publish(event, audience);
  }

  record(entry: NewEvent): void {
    this.#endGrowth();
    this.#held.push(entry);
  }

  async cut(atCut?: () => void): Promise<number> {
    this.#flush();
    atCut?.();
    await this.#appended;
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw new LogFailedError(failure);
    return this.#head;
  }

  #hold(event: SessionEvent): Promise<void> | undefined {
    this.#endGrowth();
    const isFull = this.#held.length >= MAX_HELD_EVENTS;
    if (isFull) this.#flush();
    this.#growing = GrowingChunk.from(event);
    if (!this.#growing) this.#held.push(toNewEvent(event));
    return isFull ? this.#appended : undefined;
  }

  #endGrowth(): void {
    if (this.#growing) this.#held.push(toNewEvent(this.#growing.toEvent()));
    this.#growing = undefined;
  }

  /** The log keeps the order of the calls made on it, so that the answers need not be waited for in between. */
  shown(): undefined {
    return undefined;
  }

  #flush(): void {
    this.#endGrowth();
    if (this.#held.length === 0) return;
    const appending = this.#options.append(this.#held.splice(0));
    this.#appended = appending.then(
      ({ last }) => {
        this.#head = last;
      },
      (error: unknown) => {
        this.#failure = error;
        this.#options.onFailure(error);
      },
    );
  }
}
