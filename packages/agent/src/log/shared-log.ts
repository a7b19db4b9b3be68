import type { SessionEvent } from '@parley/session';
import type { Appended, LoggedEvent, NewEvent, SessionLog, SessionRecord } from '@parley/store';
import { sessionNotFound } from '../refusals.ts';
import { ForeignEvents } from './foreign-events.ts';
import { isEvent, isTurnEnd, isTurnStart } from './history.ts';
import { findOpenTurn, readInterruption } from './interruption.ts';
import { isFinal } from './log-fault.ts';
import { Ownership } from './ownership.ts';

export interface SharedLogOptions {
  readonly log: SessionLog;
  readonly record: SessionRecord;
  /** How long others must wait for a session whose owner was lost without a word. */
  readonly leaseMs: number;
  /** Takes an event that someone else has written. Returns a promise only when it is better to wait. */
  readonly onForeignEvent: (event: SessionEvent) => void | Promise<void>;
  /** Takes what is kept beside the events, as it is now that this process alone may change it. */
  readonly onOwned: (record: SessionRecord) => void;
  /** A turn that a lost process left open has its end now; takes the settings that it could not save. */
  readonly onInterruption: (settings: readonly SessionEvent[]) => void;
  /** Another owner has taken the session while this one held it. */
  readonly onLost: (error: unknown) => void;
  /** Something did not work that nobody waits for. */
  readonly onFault: (message: string, error: unknown) => void;
}

/** How often to look whether a process that works in the session is still there: this, or often enough for short leases. */
const LOOK_INTERVAL_MS = 1000;
const LOOKS_PER_LEASE = 3;

/**
 * The log of one session, which other processes may have open too. Who holds it is the only one who writes; what others
 * wrote before comes out first, so that nobody works on half of a conversation.
 */
export class SharedLog {
  readonly #options: SharedLogOptions;
  readonly #foreign: ForeignEvents;
  readonly #ownership: Ownership;
  /** The last event there was when this process became the owner. */
  #inherited: number;
  /** Whether the log tells of a turn's start and not of its end; undefined until that was looked up. */
  #hasOpenTurn: boolean | undefined;
  /** Another process worked in the session when we last looked. */
  #isElsewhere = false;
  #isWatched = false;
  #looking: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SharedLogOptions) {
    const { log, record, leaseMs, onLost, onFault } = options;
    const sessionId = record.id;
    this.#options = options;
    this.#inherited = record.head;
    if (record.head === 0) this.#hasOpenTurn = false;
    this.#foreign = new ForeignEvents({
      log,
      sessionId,
      head: record.head,
      onEntry: (entry) => this.#takeForeign(entry),
      onFault: (error) => onFault('What other processes do in a session could not be read.', error),
    });
    this.#ownership = new Ownership({
      log,
      sessionId,
      leaseMs,
      onHold: (isHeld) => this.#foreign.hold(isHeld),
      onAcquired: (epoch, current) => this.#inherit(epoch, current),
      onLost,
      onFault,
    });
  }

  /** The last event that was shown, or had nothing to show. */
  get shown(): number {
    return this.#foreign.shown;
  }

  /** An event that was written here is shown now. */
  show(seq: number): void {
    this.#foreign.show(seq);
  }

  /** While somebody watches, what others write comes out as they write it. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched;
    this.#foreign.watch(isWatched);
    if (isWatched && (this.#isElsewhere || this.#hasOpenTurn)) this.#lookLater();
    if (isWatched) return;
    clearTimeout(this.#looking);
    this.#looking = undefined;
  }

  async append(events: readonly NewEvent[]): Promise<Appended> {
    const { log, record } = this.#options;
    const epoch = await this.hold();
    try {
      const appended = await log.append(record.id, events, { epoch });
      this.#foreign.wrote(appended.last);
      return appended;
    } catch (error) {
      this.#hasOpenTurn = undefined;
      throw error;
    } finally {
      void this.letGo();
    }
  }

  /**
   * Makes this process the owner until all who hold the session have let go, and brings out what others have written;
   * fails while another process is the owner.
   */
  async hold(): Promise<number> {
    const epoch = await this.#ownership.hold();
    try {
      await this.#foreign.readUpTo(this.#inherited, { isPatient: true });
    } catch (error) {
      await this.letGo();
      throw error;
    }
    return epoch;
  }

  /** Never rejects: a session that could not be given back is free when its lease has run out. */
  letGo(): Promise<void> {
    return this.#ownership.letGo();
  }

  /**
   * Brings out what others have written; while the session is held here, there is nothing of that kind. Tells whether
   * another process works in the session. A turn that was left open by a process that is lost gets its end.
   */
  async catchUp(): Promise<boolean> {
    if (await this.#ownership.isOurs()) return false;
    let current = await this.#readCurrent();
    if (!current.isHeld && (await this.#isTurnOpen(current.head))) {
      await this.#repair();
      current = await this.#readCurrent();
    }
    this.#isElsewhere = current.isHeld && !this.#ownership.isWanted;
    if (this.#isElsewhere) this.#lookLater();
    return this.#isElsewhere;
  }

  async #readCurrent(): Promise<SessionRecord> {
    const { log, record } = this.#options;
    const current = await log.get(record.id);
    if (!current) throw sessionNotFound(record.id);
    await this.#foreign.readUpTo(current.head, { isPatient: false });
    return current;
  }

  #takeForeign(entry: LoggedEvent): void | Promise<void> {
    if (isTurnStart(entry)) {
      this.#hasOpenTurn = true;
      this.#lookLater();
    }
    if (isTurnEnd(entry)) this.#hasOpenTurn = false;
    if (isEvent(entry)) return this.#options.onForeignEvent(entry.body);
  }

  async #isTurnOpen(head: number): Promise<boolean> {
    if (this.#hasOpenTurn === undefined) {
      const { log, record } = this.#options;
      const start = await findOpenTurn({ log, sessionId: record.id, head });
      this.#hasOpenTurn ??= start !== undefined;
    }
    return this.#hasOpenTurn;
  }

  /** Nobody else can write any more: a turn that is open now is one that nobody will end. */
  async #inherit(epoch: number, current: SessionRecord): Promise<void> {
    const { log, onOwned, onInterruption } = this.#options;
    const { id: sessionId, head } = current;
    this.#inherited = head;
    this.#isElsewhere = false;
    onOwned(current);
    if (head <= this.#foreign.known && this.#hasOpenTurn === false) return;
    const interruption = await readInterruption({ log, sessionId, head });
    if (interruption) {
      this.#inherited = (await log.append(sessionId, interruption.entries, { epoch })).last;
      onInterruption(interruption.settings);
    }
    this.#hasOpenTurn = false;
  }

  async #repair(): Promise<void> {
    try {
      await this.#ownership.hold();
      await this.#ownership.letGo();
    } catch (error) {
      // Another process does the same, or works there by now.
      if ((error as { readonly code?: unknown }).code === 'session_owned') return;
      this.#options.onFault('A turn that a lost process left open could not be ended.', error);
    }
  }

  /** A process that is killed says nothing, so that someone must look after it for as long as it works. */
  #lookLater(): void {
    if (!this.#isWatched || this.#looking !== undefined) return;
    const intervalMs = Math.min(LOOK_INTERVAL_MS, Math.ceil(this.#options.leaseMs / LOOKS_PER_LEASE));
    this.#looking = setTimeout(() => {
      this.#looking = undefined;
      this.catchUp().catch((error: unknown) => {
        if (!isFinal(error)) this.#lookLater();
      });
    }, intervalMs);
  }
}
