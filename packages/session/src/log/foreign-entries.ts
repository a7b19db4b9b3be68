import { Backoff } from '@parley/jsonrpc/internal';
import type { LoggedEvent, SessionLog } from '@parley/store';
import { isFinal, LOG_BACKOFF } from './log-fault.ts';
import { readKept } from './read-kept.ts';

export interface ForeignEntriesOptions {
  readonly log: SessionLog;
  readonly sessionId: string;
  /** The last entry that there is. */
  readonly head: number;
  /** Takes what someone else has written, each entry once and in order. Returns a promise only when it is better to wait. */
  readonly onEntry: (logged: LoggedEvent) => void | Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/**
 * What others write into the log of a session that is open here: read as it comes while somebody needs it, and at once where
 * nothing may be missing. What this process writes itself never comes back to it.
 */
export class ForeignEntries {
  readonly #options: ForeignEntriesOptions;
  /** The last entry that was written or read here. */
  #known: number;
  #shown: number;
  /** The last entry that there is, as far as we were told. */
  #head: number;
  /** Appends of our own whose numbers are not known yet. */
  #appending = 0;
  /** Entries of our own behind foreign ones that could not be read yet. */
  #own: EntryRange[] = [];
  #isReading = false;
  #stop: AbortController | undefined;

  constructor(options: ForeignEntriesOptions) {
    this.#options = options;
    this.#known = options.head;
    this.#shown = options.head;
    this.#head = options.head;
  }

  get known(): number {
    return this.#known;
  }

  /** The last entry that was shown, or had nothing to show. */
  get shown(): number {
    return this.#shown;
  }

  show(seq: number): void {
    this.#shown = seq;
  }

  /** Until `wrote` or `failed` is called, nothing is read that could be our own. */
  writing(): void {
    this.#appending += 1;
  }

  /**
   * Our own entries have these numbers. What stands between them and what we knew is foreign, and is read first; false where that
   * was not possible, so that it comes later.
   */
  async wrote({ first, last }: EntryRange): Promise<boolean> {
    try {
      if (first - 1 > this.#known) await this.readUpTo(first - 1, { isPatient: false });
      this.#known = Math.max(this.#known, last);
      return true;
    } catch (error) {
      this.#own.push({ first, last });
      this.#head = Math.max(this.#head, last);
      this.#options.onFault(error);
      return false;
    } finally {
      this.failed();
    }
  }

  failed(): void {
    this.#appending -= 1;
    void this.#readOn();
  }

  /** Reads what others write as they write it, or no longer. */
  follow(isFollowed: boolean): void {
    if (isFollowed === (this.#stop !== undefined)) return;
    this.#stop?.abort();
    this.#stop = undefined;
    if (!isFollowed) return;
    const { log, sessionId } = this.#options;
    const stop = new AbortController();
    this.#stop = stop;
    const told = (head: number): void => {
      this.#head = Math.max(this.#head, head);
      if (!stop.signal.aborted) void this.#readOn();
    };
    stop.signal.addEventListener('abort', log.watch(sessionId, told));
    // Nothing announces the entries that were written before.
    log.head(sessionId).then(told, (error: unknown) => {
      if (!stop.signal.aborted && !isFinal(error)) this.#options.onFault(error);
    });
  }

  /** Waits for slow viewers only where that is wanted. */
  async readUpTo(upTo: number, { isPatient }: { readonly isPatient: boolean }): Promise<void> {
    if (upTo <= this.#known) return;
    const { log, sessionId } = this.#options;
    for await (const logged of readKept(log, sessionId, { after: this.#known, upTo })) {
      const slow = this.#take(logged);
      if (slow && isPatient) await slow;
    }
  }

  async #readOn(): Promise<void> {
    const stop = this.#stop;
    if (!stop || this.#isReading) return;
    this.#isReading = true;
    let backoff: Backoff | undefined;
    while (!stop.signal.aborted && this.#appending === 0 && this.#head > this.#known) {
      try {
        await this.readUpTo(this.#head, { isPatient: true });
        backoff = undefined;
      } catch (error) {
        if (stop.signal.aborted || isFinal(error)) break;
        if (!backoff) this.#options.onFault(error);
        backoff ??= new Backoff(LOG_BACKOFF);
        await backoff.pause(stop.signal);
      }
    }
    this.#isReading = false;
    // Somebody may have begun to follow anew while the last reading came to its end.
    if (this.#stop && this.#stop !== stop) void this.#readOn();
  }

  /**
   * Each entry once, whoever reads it first. It is shown without waiting, so that who joins is told of the past up to
   * here, and sees what comes after.
   */
  #take(logged: LoggedEvent): void | Promise<void> {
    if (logged.seq <= this.#known) return;
    this.#known = logged.seq;
    if (this.#isOwn(logged.seq)) return;
    this.#shown = Math.max(this.#shown, logged.seq);
    return this.#options.onEntry(logged);
  }

  #isOwn(seq: number): boolean {
    if (this.#own.length === 0) return false;
    this.#own = this.#own.filter(({ last }) => last >= seq);
    return this.#own.some(({ first }) => first <= seq);
  }
}

interface EntryRange {
  readonly first: number;
  readonly last: number;
}
