import type { SessionEvent } from '@parley/protocol';
import type { NewEvent } from '@parley/store';
import { LogFailedError } from '../errors.ts';
import { type EventPipe, type EventPipeOptions, toNewEvent } from './event-pipe.ts';
import { GrowingChunk } from './growing-chunk.ts';

/** Events that are collected before they go to the log together. */
const MAX_HELD_EVENTS = 256;

/**
 * For a log in memory, which no crash outlives: events are shown at once, and logged in batches. Nothing is waited for
 * and nothing is scheduled per event.
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
    if (!this.#growing?.add(event)) this.#hold(event);
    return result;
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

  #hold(event: SessionEvent): void {
    this.#endGrowth();
    if (this.#held.length >= MAX_HELD_EVENTS) this.#flush();
    this.#growing = GrowingChunk.from(event);
    if (!this.#growing) this.#held.push(toNewEvent(event));
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
