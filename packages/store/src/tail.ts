import type { StoreLimits } from './limits.ts';
import type { LoggedEvent } from './session-log.ts';

/** A committed event, with the size that counts against the limits. */
export interface Published {
  readonly event: LoggedEvent;
  readonly bytes: number;
}

/**
 * The latest committed events of one session, shared by all who follow it. A follower that keeps up reads from here;
 * one that does not, reads from the log. A wait cannot miss a change: it compares revisions.
 */
export class Tail {
  #events: LoggedEvent[] = [];
  #sizes: number[] = [];
  #bytes = 0;
  #waiting = new Set<() => void>();
  #revision = 0;
  readonly #limits: StoreLimits;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The events after a cursor, or undefined when the tail does not reach back that far. */
  after(cursor: number): readonly LoggedEvent[] | undefined {
    const first = this.#events[0]?.seq;
    const last = this.#events.at(-1)?.seq;
    if (first === undefined || last === undefined || cursor < first - 1 || cursor >= last) return undefined;
    return this.#events.slice(cursor - first + 1);
  }

  publish(events: readonly Published[]): void {
    for (const { event, bytes } of events) {
      if (event.seq !== (this.#events.at(-1)?.seq ?? event.seq - 1) + 1) this.#forget();
      this.#events.push(event);
      this.#sizes.push(bytes);
      this.#bytes += bytes;
    }
    this.#trim();
    this.wake();
  }

  /** Makes every follower look again. */
  wake(): void {
    this.#revision++;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const resume of waiting) resume();
  }

  /** Waits until something happened after the given revision, or the signal aborts. */
  async change(since: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#revision !== since || signal?.aborted) return;
    const { promise, resolve } = openPromise();
    this.#waiting.add(resolve);
    signal?.addEventListener('abort', resolve, { once: true });
    await promise;
    signal?.removeEventListener('abort', resolve);
    this.#waiting.delete(resolve);
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
