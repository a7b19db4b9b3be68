import { cloneJson } from '@parley/jsonrpc/internal';
import { type SessionEvent, writeEvent } from '@parley/session';
import { GrowingChunk } from '@parley/session/log';
import type { NewEvent } from '@parley/store';
import { LogFailedError } from '../errors.ts';
import { EventLoopPause } from './event-loop-pause.ts';
import type { EventPipe, EventPipeOptions } from './event-pipe.ts';

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
  /** The last sequence number, once all that was handed to the log is in it. */
  #appended: Promise<number>;
  /** Batches on their way to the log. */
  #appending = 0;
  #failure: unknown;
  readonly #pause = new EventLoopPause();

  constructor(options: EventPipeOptions<Audience>) {
    this.#options = options;
    this.#appended = Promise.resolve(options.shown());
  }

  push(event: SessionEvent, audience?: Audience): void | Promise<void> {
    if (this.#growing?.add(event)) return this.#options.publish(event, undefined, audience);
    const growing = GrowingChunk.from(event);
    const said = growing ? event : this.#options.own(event);
    // The log comes first: a viewer that is behind reads the event from there.
    const logging = this.#hold(growing ?? said);
    return this.#options.publish(said, undefined, audience) ?? logging;
  }

  pass(event: SessionEvent, audience?: Audience): void | Promise<void> {
    return this.#options.publish(this.#options.own(event), undefined, audience);
  }

  record(entry: NewEvent, shown?: SessionEvent): void {
    this.#endGrowth();
    this.#held.push({ ...entry, body: cloneJson(entry.body) });
    if (shown) void this.#options.publish(shown, undefined, undefined);
  }

  /** Whether the log has everything: another pipe may go on from here. */
  get isIdle(): boolean {
    return this.#appending === 0 && this.#held.length === 0 && this.#growing === undefined;
  }

  async cut(atCut?: () => void): Promise<number> {
    this.#flush();
    atCut?.();
    const head = await this.#appended;
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw new LogFailedError(failure);
    return head;
  }

  place(): Promise<number> {
    this.#flush();
    return this.#appended;
  }

  #hold(event: SessionEvent | GrowingChunk): Promise<void> | undefined {
    const isLongText = this.#growing?.isLong ?? false;
    this.#endGrowth();
    const isFull = this.#held.length >= MAX_HELD_EVENTS;
    if (isFull) this.#flush();
    if (event instanceof GrowingChunk) this.#growing = event;
    else this.#held.push(writeEvent(event));
    if (!isFull && !isLongText) return undefined;
    return this.#pause.take() ?? this.#appended.then(() => {});
  }

  #endGrowth(): void {
    if (this.#growing) this.#held.push(writeEvent(this.#growing.toEvent()));
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
    const before = this.#appended;
    this.#appending += 1;
    this.#appended = appending.then(
      ({ last }) => {
        this.#appending -= 1;
        return last;
      },
      (error: unknown) => {
        this.#appending -= 1;
        this.#failure = error;
        this.#options.onFailure(error);
        return before;
      },
    );
  }
}
