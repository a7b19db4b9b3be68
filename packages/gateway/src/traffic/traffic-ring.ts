import type { Direction } from '@parley/session/traces';
import type { WireFacts } from './traffic-wire.ts';

/** Something that passed, as it was: nothing is copied, looked through or cleaned before somebody reads it. */
export interface Passed {
  /** Counts what has passed for this principal, from 1. */
  readonly seq: number;
  readonly timeMs: number;
  readonly wire: WireFacts;
  readonly kind: 'message' | 'noise' | 'stderr';
  readonly direction: Direction;
  /** The message; or the text that was none. */
  readonly value: unknown;
  readonly size: number;
}

/** What has passed for one principal, the oldest first. */
export class TrafficRing {
  bytes = 0;
  #items: (Passed | undefined)[] = [];
  /** Where the oldest stands; what was before it is gone. */
  #start = 0;
  #seq = 0;
  readonly #wakes = new Set<() => void>();

  get length(): number {
    return this.#items.length - this.#start;
  }

  /** The number of the one that comes next. */
  get nextSeq(): number {
    return this.#seq + 1;
  }

  push(passed: Omit<Passed, 'seq'>): void {
    this.#seq += 1;
    this.#items.push({ ...passed, seq: this.#seq });
    this.bytes += passed.size;
    if (this.#wakes.size === 0) return;
    for (const wake of this.#wakes) wake();
    this.#wakes.clear();
  }

  /** Forgets the oldest. */
  shift(): void {
    const oldest = this.#items[this.#start];
    if (!oldest) return;
    this.bytes -= oldest.size;
    this.#items[this.#start] = undefined;
    this.#start += 1;
    // Moving all of them now and then costs less than moving them each time.
    if (this.#start < MIN_MOVED || this.#start * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#start);
    this.#start = 0;
  }

  /** Those from this number on, at most so many. */
  from(seq: number, limit: number): readonly Passed[] {
    const oldest = this.#seq - this.length + 1;
    const begin = this.#start + Math.max(0, seq - oldest);
    return this.#items.slice(begin, begin + limit).filter((each) => each !== undefined);
  }

  /** Resolves when something has passed, or the signal aborts. */
  async changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    let wake = (): void => {};
    await new Promise<void>((resolve) => {
      wake = resolve;
      this.#wakes.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
    this.#wakes.delete(wake);
    signal.removeEventListener('abort', wake);
  }
}

const MIN_MOVED = 1024;
