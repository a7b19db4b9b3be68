import type { AcquireOptions, Lease, RenewOptions } from './lease.ts';
import type { CopiedFacts, SessionChanges, SessionPage, SessionQuery, SessionRecord } from './session-record.ts';

/** Whose sessions a store holds when nothing else is said: the one person at this machine. */
export const LOCAL_PRINCIPAL = 'local';

/**
 * A place where sessions live. It is opened on first use and closed by `await using` or `close()`.
 * Make one with `sqliteStore()` or `memoryStore()`.
 */
export interface SessionStore extends AsyncDisposable {
  /** Whether others may have the same sessions, in other processes as a rule. Where they may not, nobody needs a lease. */
  readonly isShared: boolean;
  /** Everybody who has a session here, in no order; for copies of a whole store. */
  principals(): Promise<readonly string[]>;
  /** Reads something small. Fails, or stays without an answer, while the store cannot be used. */
  check(): Promise<void>;
  /** The log of one principal. Sessions of other principals do not exist in it: they are never found, listed or hit. */
  log(principal?: string): SessionLog;
  /** Waits for what is under way, then closes; followers end with `store_closed`. Closing twice is fine. */
  close(): Promise<void>;
}

/**
 * The sessions of one principal, each of them a log of events with dense sequence numbers 1, 2, 3...
 *
 * - A promise that resolves means: on disk (or wherever the store keeps things). One that rejects means: not done; only
 *   after `store_io` or `store_unavailable` it may still be found later, so repeat such an append under a `once` key.
 * - Nobody sees an event before it is committed.
 * - Calls on one session take effect in the order they were made, reads and writes alike, also without waiting in between.
 */
export interface SessionLog {
  readonly principal: string;
  /** As of its store. */
  readonly isShared: boolean;
  /**
   * Whether another may take a session as soon as the lease has run out, even while its owner runs: then an owner that could not
   * renew stops working before that. Elsewhere a running owner keeps it.
   */
  readonly hasStrictLeases: boolean;

  /** Fails with `session_exists` when the id is taken. */
  create(session: NewSession): Promise<SessionRecord>;
  get(sessionId: string): Promise<SessionRecord | undefined>;
  /** Sessions by last activity, newest first, in pages. */
  list(query?: SessionQuery): Promise<SessionPage>;
  /** Changes title, metadata or the archived flag; what is left out stays. It does not count as activity. */
  update(sessionId: string, changes: SessionChanges): Promise<SessionRecord>;
  /** Deletes the session and all that belongs to it; false when there was none. */
  remove(sessionId: string): Promise<boolean>;
  /**
   * Copies a session's events, up to `upTo` if given, into a new session; keys stay behind. They keep their numbers, and what was
   * dropped from the original is missing in the copy too.
   */
  fork(sessionId: string, fork: ForkOptions): Promise<SessionRecord>;

  /** Appends all of the events, or none. Resolves when they are durable. */
  append(sessionId: string, events: readonly NewEvent[], options?: AppendOptions): Promise<Appended>;
  /**
   * Drops all events before one, for good, and puts a summary in the place of the last of them. Numbers go on: nothing is numbered
   * anew. Whoever reads from the start begins with the summary; a cursor before it has expired. The caller chooses where a
   * conversation may be cut. It does not count as activity; what was dropped before stays so, and then nothing is changed.
   */
  trim(sessionId: string, options: TrimOptions): Promise<SessionRecord>;
  /** The last sequence number; 0 for a session without events. */
  head(sessionId: string): Promise<number>;
  /**
   * The events after a cursor up to the head of this moment, read in pages at the reader's pace. Fails with
   * `session_not_found` when the session is removed meanwhile, even if another is given its id.
   */
  read(sessionId: string, options?: ReadOptions): AsyncIterable<LoggedEvent>;
  /**
   * The events after a cursor, and then every new one as it is committed, without a seam, until the signal aborts. Fails
   * with `session_not_found` when the session is removed, even if another is given its id.
   */
  follow(sessionId: string, options?: FollowOptions): AsyncIterable<LoggedEvent>;
  /**
   * Calls `onAppended` with the session's new last number whenever somebody has appended to it, here or in another process:
   * a hint to read, which costs an append here next to nothing. Several appends may be told as one; none made while
   * watching is left out, so read `head` after beginning to watch. It ends with the store, or when the returned function
   * is called. An append of another process is told within 250 ms.
   */
  watch(sessionId: string, onAppended: (head: number) => void): () => void;
  /** The record of an inbound message, by the key it came with; undefined when that key was never seen. */
  inbound(sessionId: string, key: string): Promise<InboundRecord | undefined>;

  /**
   * Makes `owner` the only one who may append; fails with SessionOwnedError while another may be at work: its process runs
   * on this machine, or, where nobody can know, its lease does.
   */
  acquire(sessionId: string, options?: AcquireOptions): Promise<Lease>;
  /** Extends a lease; fails with StaleOwnerError once someone else has acquired the session. */
  renew(sessionId: string, options: RenewOptions): Promise<Lease>;
  /**
   * Gives the session up; false when it had already passed to someone else. When it fails because the file does, it is
   * tried again, and the session is free here at once.
   */
  release(sessionId: string, options: { readonly epoch: number }): Promise<boolean>;
  /** A name for this process, as `acquire` gives to an owner without one; each call returns another. */
  newOwner(): string;
  /** Whether the process that `newOwner` named has ended. False where nobody can know: another machine, a name of its own. */
  hasEnded(owner: string): boolean;
}

export interface NewSession {
  readonly id: string;
  /** The session's working directory, as an absolute path. */
  readonly cwd: string;
  readonly title?: string | undefined;
  /** Whatever the caller wants to find again; a JSON object. Default: {}. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The first events: the session is there with all of them, or not at all. Default: none. */
  readonly events?: readonly NewEvent[] | undefined;
  /** For a copy of a session from another store. Default: it is new. */
  readonly copied?: CopiedFacts | undefined;
}

export interface ForkOptions {
  /** The id of the new session. */
  readonly id: string;
  /** Default: the cwd, title and metadata of the original. */
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The last event that is copied. Default: all. */
  readonly upTo?: number | undefined;
}

export interface TrimOptions {
  /** The first event that is kept; one beyond the head keeps none. Further on is `cursor_ahead`. */
  readonly before: number;
  /** What whoever reads from the start must know of those that are gone. */
  readonly summary: NewEvent;
  /** As for an append: from the lease, and left out while nobody owns the session. */
  readonly epoch?: number | undefined;
}

export interface NewEvent {
  /** What the event is; a short word the writer chooses. The store gives it no meaning. */
  readonly kind: string;
  /** Any JSON value. It comes back as JSON would give it back. */
  readonly body: unknown;
  /** When it happened, in milliseconds since 1970. Default: when it is appended. */
  readonly timeMs?: number | undefined;
}

export interface LoggedEvent {
  readonly seq: number;
  /** The session's ownership epoch when it was written, by its owner or to it; 0 before anyone ever owned it. */
  readonly epoch: number;
  readonly timeMs: number;
  readonly kind: string;
  /** Shared between followers: treat it as read-only. */
  readonly body: unknown;
}

export interface AppendOptions {
  /** From the lease. Must be left out while nobody owns the session; a wrong one fails with StaleOwnerError. */
  readonly epoch?: number | undefined;
  /**
   * Appends whoever owns the session, and also when nobody does: for what is asked of the owner, such as a prompt, a
   * cancel or an answer. The owner finds it in the log and acts on it. Takes no epoch. Default: false.
   */
  readonly isInput?: boolean | undefined;
  /**
   * Nobody changes the bodies any more, and each is what a trip through JSON would give: a store in memory may keep them as
   * they are, without a copy. Default: false.
   */
  readonly isFinal?: boolean | undefined;
  /**
   * Appends only if this key of an inbound message is new, and records it in the same commit. A repeated key appends
   * nothing and gives back what was recorded. Leave `outcome` out while it is not known yet, and `settle` it later.
   */
  readonly once?: { readonly key: string; readonly outcome?: unknown } | undefined;
  /** Records the outcome of a key in the same commit as the events; replaces an earlier outcome. */
  readonly settle?: { readonly key: string; readonly outcome: unknown } | undefined;
}

export interface Appended {
  /** The numbers given to the events: `first` to `last`, both included. `first > last` when nothing was appended. */
  readonly first: number;
  readonly last: number;
  /** Present when `once` was given. */
  readonly inbound?: InboundRecord & { readonly isRepeated: boolean };
}

export interface InboundRecord {
  readonly key: string;
  /** Undefined while the message is being worked on, or was interrupted: it must not be run again by itself. */
  readonly outcome: unknown;
}

export interface ReadOptions {
  /**
   * The last sequence number the reader has. 0 is for a reader that has nothing: it gets all that is kept, also where the first
   * events were dropped. Beyond the head is `cursor_ahead`; before what is kept is `cursor_expired`, since events between the
   * two are gone. Default: 0.
   */
  readonly after?: number | undefined;
  /** The last event wanted. Default: the head when reading starts. */
  readonly upTo?: number | undefined;
  /** Aborting throws the signal's reason: half a reading must not be taken for a whole. */
  readonly signal?: AbortSignal | undefined;
}

export interface FollowOptions {
  /** As for reading; a follower may fall so far behind that its cursor expires. Default: 0. */
  readonly after?: number | undefined;
  /** Aborting ends the iteration without an error; it has no other end. */
  readonly signal?: AbortSignal | undefined;
}
