import type { LoggedEvent, SessionLog } from '@parley/store';
import { Backoff } from './backoff.ts';
import { isFinal } from './log-fault.ts';

export interface ForeignEventsOptions {
  readonly log: SessionLog;
  readonly sessionId: string;
  /** The last event that there is. */
  readonly head: number;
  /** Takes what someone else has written, each entry once and in order. Returns a promise only when it is better to wait. */
  readonly onEntry: (entry: LoggedEvent) => void | Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/**
 * What other processes write into the log of a session that is open here: followed as it comes while somebody watches,
 * and read at once where nothing may be missing.
 */
export class ForeignEvents {
  readonly #options: ForeignEventsOptions;
  /** The last event that was written or read here. */
  #known: number;
  #shown: number;
  #isWatched = false;
  #isHeld = false;
  #following: AbortController | undefined;

  constructor(options: ForeignEventsOptions) {
    this.#options = options;
    this.#known = options.head;
    this.#shown = options.head;
  }

  get known(): number {
    return this.#known;
  }

  /** The last event that was shown, or had nothing to show. */
  get shown(): number {
    return this.#shown;
  }

  /** What has been written here is not foreign. */
  wrote(last: number): void {
    this.#known = last;
  }

  show(seq: number): void {
    this.#shown = seq;
  }

  /** Follows only while somebody sees what comes of it. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched;
    this.#followIfNeeded();
  }

  /** While the session is held here nobody else can write; what this process writes must not come back to it. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#followIfNeeded();
  }

  /** Waits for slow clients only where that is wanted. */
  async readUpTo(upTo: number, { isPatient }: { readonly isPatient: boolean }): Promise<void> {
    if (upTo <= this.#known) return;
    const { log, sessionId } = this.#options;
    for await (const entry of log.read(sessionId, { after: this.#known, upTo })) {
      const slow = this.#take(entry);
      if (slow && isPatient) await slow;
    }
  }

  #followIfNeeded(): void {
    const isNeeded = this.#isWatched && !this.#isHeld;
    if (isNeeded === (this.#following !== undefined)) return;
    this.#following?.abort();
    this.#following = isNeeded ? new AbortController() : undefined;
    if (this.#following) void this.#follow(this.#following.signal);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { log, sessionId, onFault } = this.#options;
    let backoff: Backoff | undefined;
    while (!signal.aborted) {
      try {
        for await (const entry of log.follow(sessionId, { after: this.#known, signal })) {
          backoff = undefined;
          const slow = this.#take(entry);
          if (slow) await slow;
        }
      } catch (error) {
        if (signal.aborted || isFinal(error)) return;
        if (!backoff) onFault(error);
        backoff ??= new Backoff();
        await backoff.pause(signal);
      }
    }
  }

  /**
   * Each entry once, whoever reads it first. It is shown without waiting, so that who joins is told of the past up to
   * here, and sees what comes after.
   */
  #take(entry: LoggedEvent): void | Promise<void> {
    if (entry.seq <= this.#known) return;
    this.#known = entry.seq;
    this.#shown = entry.seq;
    return this.#options.onEntry(entry);
  }
}
