import { SharedAborts } from '@parley/jsonrpc/internal';
import type { StoreLimits } from '../contract/limits.ts';
import type { LoggedEvent } from '../contract/session-log.ts';

/** A committed event, with the size that counts against the limits. */
export interface Published {
  readonly event: LoggedEvent;
  readonly bytes: number;
}

/** Many followers may share one signal. */
const aborts = new SharedAborts();

/**
 * The latest committed events of one session, shared by all who follow it. A follower that keeps up reads from here;
 * one that does not, reads from the log. A wait cannot miss a change: it compares revisions.
 */
export class Tail {
  #events: LoggedEvent[] = [];
  #sizes: number[] = [];
  #bytes = 0;
  /** The session and the number of the last event that was published, though it may be too large to be kept here. */
  #last: { readonly num: number; readonly seq: number } | undefined;
  #waiting = new Set<() => void>();
  #revision = 0;
  #looks = 0;
  readonly #limits: StoreLimits;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  /** Grows with everything that happens. */
  get revision(): number {
    return this.#revision;
  }

  /** Grows with what cannot be seen here, but only in the log. */
  get looks(): number {
    return this.#looks;
  }

  /** The events of a session after a cursor, or undefined when there are none or the tail does not reach back that far. */
  after(num: number, cursor: number): readonly LoggedEvent[] | undefined {
    const first = this.#events[0]?.seq;
    const last = this.#events.at(-1)?.seq;
    if (first === undefined || last === undefined || cursor < first - 1 || cursor >= last) return undefined;
    return this.#last?.num === num ? this.#events.slice(cursor - first + 1) : undefined;
  }

  /** Whether nothing beyond a cursor has been published. */
  endsAt(num: number, cursor: number): boolean {
    return this.#last === undefined || (this.#last.num === num && this.#last.seq <= cursor);
  }

  publish(num: number, events: readonly Published[]): void {
    for (const { event, bytes } of events) {
      if (num !== this.#last?.num || event.seq !== this.#last.seq + 1) this.#forget();
      this.#last = { num, seq: event.seq };
      this.#events.push(event);
      this.#sizes.push(bytes);
      this.#bytes += bytes;
    }
    this.#trim();
    this.#wake();
  }

  /** Makes every follower look into the log again. */
  look(): void {
    this.#looks++;
    this.#wake();
  }

  /** Waits until something happened after the given revision, or the signal aborts. */
  async change(since: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#revision !== since || signal?.aborted) return;
    const { promise, resolve } = openPromise();
    this.#waiting.add(resolve);
    const forgetSignal = signal && aborts.add(signal, resolve);
    await promise;
    forgetSignal?.();
    this.#waiting.delete(resolve);
  }

  #wake(): void {
    this.#revision++;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const resume of waiting) resume();
  }

  /** Drops the older half once a limit is passed, so that keeping the tail short costs little per event. */
  #trim(): void {
    const { maxTailEvents, maxTailBytes } = this.#limits;
    if (this.#events.length <= maxTailEvents && this.#bytes <= maxTailBytes) return;
    let dropped = 0;
    while (this.#events.length - dropped > maxTailEvents / 2 || this.#bytes > maxTailBytes / 2) {
      this.#bytes -= this.#sizes[dropped] ?? 0;
      dropped++;
    }
    this.#events = this.#events.slice(dropped);
    this.#sizes = this.#sizes.slice(dropped);
  }

  #forget(): void {
    this.#events = [];
    this.#sizes = [];
    this.#bytes = 0;
  }
}

function openPromise(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
