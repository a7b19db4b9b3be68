import type { SessionEvent } from '@parley/protocol';
import type { Appended, NewEvent, SessionLog, SessionRecord } from '@parley/store';
import { isEvent } from './history.ts';
import { sessionNotFound } from './refusals.ts';

export interface SharedLogOptions {
  readonly log: SessionLog;
  readonly record: SessionRecord;
  /** How long others must wait for a session whose owner was lost without a word. */
  readonly leaseMs: number;
  /** Takes an event that someone else has written. */
  readonly onForeignEvent: (event: SessionEvent) => void | Promise<void>;
  /** Takes what is kept beside the events, as it is now that this process alone may change it. */
  readonly onOwned: (record: SessionRecord) => void;
  /** Another owner has taken the session while this one held it. */
  readonly onLost: (error: unknown) => void;
  /** The session could not be given back; others must wait until the lease has run out. */
  readonly onStuck: (error: unknown) => void;
}

/**
 * The log of one session, which other processes may have open too. Who holds it is the only one who writes; what others
 * wrote before comes out first, so that nobody works on half of a conversation.
 */
export class SharedLog {
  readonly #options: SharedLogOptions;
  #head: number;
  #holders = 0;
  /** The epoch, once the session is ours. */
  #owning: Promise<number> | undefined;
  #renewing: ReturnType<typeof setInterval> | undefined;
  #catchingUp: Promise<void> = Promise.resolve();

  constructor(options: SharedLogOptions) {
    this.#options = options;
    this.#head = options.record.head;
  }

  /** The last event that was written or read here. */
  get head(): number {
    return this.#head;
  }

  async append(events: readonly NewEvent[]): Promise<Appended> {
    const { log, record } = this.#options;
    const epoch = await this.hold();
    try {
      const appended = await log.append(record.id, events, { epoch });
      this.#head = appended.last;
      return appended;
    } finally {
      void this.letGo();
    }
  }

  /** Makes this process the owner until all who hold the session have let go; fails while another process is. */
  async hold(): Promise<number> {
    this.#holders += 1;
    this.#owning ??= this.#acquire();
    const owning = this.#owning;
    try {
      return await owning;
    } catch (error) {
      this.#holders -= 1;
      if (this.#owning === owning) this.#owning = undefined;
      throw error;
    }
  }

  /** Never rejects: a session that could not be given back is free when its lease has run out. */
  async letGo(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders > 0 || !this.#owning) return;
    const owning = this.#owning;
    this.#owning = undefined;
    clearInterval(this.#renewing);
    await this.#release(await owning);
  }

  /**
   * Reads what others have written; while the session is held here, there is nothing of that kind. Tells whether another
   * process works in the session.
   */
  async catchUp(): Promise<boolean> {
    const isOurs = this.#owning?.then(
      () => true,
      () => false,
    );
    if (isOurs && (await isOurs)) return false;
    const { log, record } = this.#options;
    const current = await log.get(record.id);
    if (!current) throw sessionNotFound(record.id);
    await this.#readUpTo(current.head);
    return current.lease !== null && current.lease.leaseUntilMs > Date.now();
  }

  async #acquire(): Promise<number> {
    const { log, record, leaseMs, onOwned } = this.#options;
    // Both at once: calls on a session take effect in their order, so that the record is that of the new owner.
    const [{ epoch }, current] = await Promise.all([log.acquire(record.id, { leaseMs }), log.get(record.id)]);
    try {
      if (current) await this.#readUpTo(current.head);
      if (current) onOwned(current);
    } catch (error) {
      await this.#release(epoch);
      throw error;
    }
    clearInterval(this.#renewing);
    this.#renewing = setInterval(() => void this.#renew(epoch), Math.ceil(leaseMs / 3));
    return epoch;
  }

  #readUpTo(upTo: number): Promise<void> {
    const reading = this.#catchingUp.then(async () => {
      const { log, record, onForeignEvent } = this.#options;
      if (upTo <= this.#head) return;
      for await (const entry of log.read(record.id, { after: this.#head, upTo })) {
        const slow = isEvent(entry) ? onForeignEvent(entry.body) : undefined;
        // Before anything else can happen: who joins now is told of the past up to here.
        this.#head = entry.seq;
        if (slow) await slow;
      }
    });
    this.#catchingUp = reading.catch(() => {});
    return reading;
  }

  async #renew(epoch: number): Promise<void> {
    const { log, record, leaseMs, onLost } = this.#options;
    try {
      await log.renew(record.id, { epoch, leaseMs });
    } catch (error) {
      // Any other failure is that of the store, which the next append meets too.
      if ((error as { readonly code?: unknown }).code === 'stale_owner') onLost(error);
    }
  }

  async #release(epoch: number): Promise<void> {
    const { log, record, onStuck } = this.#options;
    try {
      await log.release(record.id, { epoch });
    } catch (error) {
      onStuck(error);
    }
  }
}
