import type { Appended, LoggedEvent, NewEvent, SessionLog, SessionRecord } from '@parley/store';
import { type InputEntry, isInput, type LogEntry, readEntry, writeEntry } from '../entry.ts';
import type { SessionEvent } from '../event.ts';
import type { SessionProgress, WaitingInput } from '../progress.ts';
import { ForeignEntries } from './foreign-entries.ts';
import { findPrompt } from './history.ts';
import { readInterruption } from './interruption.ts';
import { KnownProgress } from './known-progress.ts';
import { isFinal } from './log-fault.ts';
import { Lookout } from './lookout.ts';
import { Ownership, sessionNotFound } from './ownership.ts';

export interface SharedLogOptions {
  readonly log: SessionLog;
  readonly record: SessionRecord;
  /** How long others must wait for a session whose owner was lost without a word. */
  readonly leaseMs: number;
  /** How long `hold` waits for an owner that is not at work in a turn. Default: it only tries twice. */
  readonly patienceMs?: number;
  /** Takes an entry that someone else has written. Returns a promise only when it is better to wait. */
  readonly onEntry: (entry: LogEntry, seq: number) => void | Promise<void>;
  /** Takes an entry of our own that is no event, when the log has it. */
  readonly onWritten?: (entry: LogEntry, seq: number) => void;
  /** Something is asked of this process, which owns the session. Called once for each input, in their order. */
  readonly onInput: (waiting: WaitingInput) => void;
  /** Takes what is kept beside the entries, as it is now that this process alone may change it. */
  readonly onOwned: (record: SessionRecord) => void;
  /** A turn that a lost process left open has its end now; takes the settings that it could not save. */
  readonly onInterruption: (settings: readonly SessionEvent[]) => void;
  /** Another owner has taken the session while this one held it. */
  readonly onLost: (error: unknown) => void;
  /** Something did not work that nobody waits for. */
  readonly onFault: (message: string, error: unknown) => void;
}

/** How often an input is given to a store that is busy; each time it waits for some seconds by itself. */
const MAX_INPUT_TRIES = 5;

/**
 * The log of one session, which other processes may have open too. Its owner alone writes what happens; everybody may append
 * what they want of the owner. What others wrote before comes out first, so that nobody works on half of a conversation.
 */
export class SharedLog {
  readonly #options: SharedLogOptions;
  readonly #foreign: ForeignEntries;
  readonly #ownership: Ownership;
  /** The last entry there was when this process became the owner. */
  #inherited: number;
  readonly #progress: KnownProgress;
  /** Another process worked in the session when we last looked. */
  #isElsewhere = false;
  #isWatched = false;
  readonly #lookout: Lookout;

  constructor(options: SharedLogOptions) {
    const { log, record, leaseMs, patienceMs = 0, onLost, onFault } = options;
    const sessionId = record.id;
    this.#options = options;
    this.#inherited = record.head;
    this.#progress = new KnownProgress({ log, sessionId, head: record.head });
    this.#lookout = new Lookout({ leaseMs, look: async () => this.#isWatched && this.catchUp() });
    this.#foreign = new ForeignEntries({
      log,
      sessionId,
      head: record.head,
      onEntry: (logged) => this.#takeForeign(logged),
      onFault: (error) => onFault('What other processes do in a session could not be read.', error),
    });
    this.#ownership = new Ownership({
      log,
      sessionId,
      leaseMs,
      patienceMs,
      isAtWork: async () => (await this.readProgress()).turn !== undefined,
      onHold: () => this.#followIfNeeded(),
      onAcquired: (epoch, current) => this.#inherit(epoch, current),
      onLost,
      onFault,
    });
  }

  /** The last entry that was shown, or had nothing to show. */
  get shown(): number {
    return this.#foreign.shown;
  }

  /** What is going on, as far as this process knows. */
  get progress(): SessionProgress | undefined {
    return this.#progress.current;
  }

  /** Whether this process owns the session, or is about to. */
  get isOwned(): boolean {
    return this.#ownership.isWanted;
  }

  /** Where somebody who looks for what is left to do has to begin, as far as this process knows. */
  oldestInput(turnId: string): number | undefined {
    return this.#progress.oldestInput(turnId, this.#foreign.known);
  }

  /** An entry that was written here is shown now. */
  show(seq: number): void {
    this.#foreign.show(seq);
  }

  /** While somebody watches, what others write comes out as they write it. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched;
    this.#followIfNeeded();
    if (isWatched && (this.#isElsewhere || this.progress?.turn)) this.#lookLater();
    if (!isWatched) this.#lookout.stop();
  }

  /** Writes as the owner of the session, which this process becomes for it if need be. */
  async append(events: readonly NewEvent[]): Promise<Appended> {
    const { log, record } = this.#options;
    const epoch = await this.hold();
    this.#foreign.writing();
    let appended: Appended;
    try {
      appended = await log.append(record.id, events, { epoch });
    } catch (error) {
      this.#foreign.failed();
      this.#progress.forget();
      void this.release();
      throw error;
    }
    if (!(await this.#foreign.wrote(appended))) this.#progress.forget();
    this.#follow(events, appended.first);
    void this.release();
    return appended;
  }

  /**
   * Asks something of whoever owns the session, or will; resolves to the number of the entry when it is in the log. With a key
   * it is there once, however often it is asked; undefined when it was there before.
   */
  async submit(
    input: InputEntry,
    { key = crypto.randomUUID() }: { readonly key?: string } = {},
  ): Promise<number | undefined> {
    const appended = await this.#appendInput(input, key);
    if (appended === undefined) return undefined;
    if (this.#isWatched) this.#lookLater();
    await this.#foreign.readUpTo(appended, { isPatient: false });
    return appended;
  }

  /** An owner that writes without a pause keeps others out for a while. By its key a repeated input is there once. */
  async #appendInput(input: InputEntry, key: string): Promise<number | undefined> {
    const { log, record } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        const { last, inbound } = await log.append(record.id, [writeEntry(input)], { isInput: true, once: { key } });
        return inbound?.isRepeated ? undefined : last;
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== 'store_busy' || tries === MAX_INPUT_TRIES) throw error;
      }
    }
  }

  /**
   * Makes this process the owner until all who hold the session have released it, and brings out what others have written;
   * fails while another process is the owner.
   */
  async hold(): Promise<number> {
    const epoch = await this.#ownership.hold();
    try {
      await this.#foreign.readUpTo(this.#inherited, { isPatient: true });
    } catch (error) {
      await this.release();
      throw error;
    }
    this.#tellInputs();
    return epoch;
  }

  /** Never rejects: a session that could not be given back is free when its lease has run out. */
  release(): Promise<void> {
    return this.#ownership.release();
  }

  /**
   * Brings out what others have written; while the session is held here, there is nothing of that kind. Tells whether
   * another process works in the session. A turn that was left open by a process that is lost gets its end.
   */
  async catchUp(): Promise<boolean> {
    if (await this.#ownership.isOurs()) return false;
    let current = await this.#readCurrent();
    if (!current.isHeld && (await this.#progress.learn(current.head)).turn) {
      await this.#repair();
      current = await this.#readCurrent();
    }
    this.#isElsewhere = current.isHeld && !this.#ownership.isWanted;
    if (this.#isElsewhere) this.#lookLater();
    return this.#isElsewhere;
  }

  /** What is going on now, also where another process is at work. */
  async readProgress(): Promise<SessionProgress> {
    const { head } = await this.#readCurrent();
    return this.#progress.learn(head);
  }

  /** The turn that a prompt became part of, or has of its own, and how that ended, as far as the log tells. */
  findPrompt(promptId: string): ReturnType<typeof findPrompt> {
    const { log, record } = this.#options;
    return findPrompt({ log, sessionId: record.id, promptId });
  }

  async #readCurrent(): Promise<SessionRecord> {
    const { log, record } = this.#options;
    const current = await log.get(record.id);
    if (!current) throw sessionNotFound(record.id);
    await this.#foreign.readUpTo(current.head, { isPatient: false });
    return current;
  }

  #followIfNeeded(): void {
    this.#foreign.follow(this.#isWatched || this.#ownership.isWanted);
  }

  /** Keeps up with entries of our own. */
  #follow(events: readonly NewEvent[], first: number): void {
    for (const [index, event] of events.entries()) {
      const entry = readEntry(event);
      if (!entry || entry.type === 'event') continue;
      this.#progress.apply(entry, first + index);
      this.#options.onWritten?.(entry, first + index);
    }
  }

  #takeForeign(logged: LoggedEvent): void | Promise<void> {
    const entry = readEntry(logged);
    if (!entry) return;
    this.#progress.apply(entry, logged.seq);
    if (entry.type === 'turn_started') this.#lookLater();
    if (isInput(entry) && this.#ownership.isOwned) this.#tellInputsSoon(logged.seq);
    return this.#options.onEntry(entry, logged.seq);
  }

  /** After trouble with the log the inputs have to be read first. */
  #tellInputsSoon(head: number): void {
    if (this.progress) return this.#tellInputs();
    const { onFault } = this.#options;
    this.#progress.learn(head).then(
      () => this.#ownership.isOwned && this.#tellInputs(),
      (error: unknown) => isFinal(error) || onFault('What is asked of this process could not be read.', error),
    );
  }

  /** Tells the owner what it was not told yet. */
  #tellInputs(): void {
    for (const waiting of this.#progress.takeInputs()) this.#options.onInput(waiting);
  }

  /** No other process can write any more, so a turn that is open now will not be ended by its own process. */
  async #inherit(epoch: number, current: SessionRecord): Promise<void> {
    const { log, onOwned, onInterruption } = this.#options;
    const { id: sessionId, head } = current;
    this.#inherited = head;
    this.#isElsewhere = false;
    onOwned(current);
    if (head > this.#foreign.known) this.#progress.forget();
    const { turn } = await this.#progress.learn(head);
    if (turn) {
      const interruption = await readInterruption({ log, sessionId, head }, turn.turnId);
      if (interruption) {
        this.#foreign.writing();
        try {
          this.#inherited = (await log.append(sessionId, interruption.entries, { epoch })).last;
        } finally {
          this.#foreign.failed();
        }
        onInterruption(interruption.settings);
      }
    }
    this.#progress.retell();
  }

  async #repair(): Promise<void> {
    try {
      await this.#ownership.hold();
      await this.#ownership.release();
    } catch (error) {
      // Another process does the same, or works there by now.
      if ((error as { readonly code?: unknown }).code === 'session_owned') return;
      this.#options.onFault('A turn that a lost process left open could not be ended.', error);
    }
  }

  #lookLater(): void {
    if (this.#isWatched) this.#lookout.lookLater();
  }
}
