import type { StoreErrorCode } from '../contract/errors.ts';
import type { Lease } from '../contract/lease.ts';
import type { CopiedFacts } from '../contract/session-record.ts';

/**
 * What an implementation of the store has to do: plain data in, plain data out, JSON as text. Each operation either
 * takes effect as a whole or throws an `OperationError`, and then has done nothing. `nowMs` is the time by the backend's clock.
 */
export type Operations = {
  readonly [Name in OperationName]: (input: Input<Name>, nowMs: number) => Output<Name>;
};

/** Each operation as its input and its output. */
interface OperationTable {
  create: [CreateInput, SessionView];
  get: [SessionKey, SessionView | null];
  list: [ListInput, ListOutput];
  update: [UpdateInput, SessionView];
  remove: [SessionKey, boolean];
  principals: [Record<never, never>, readonly string[]];
  fork: [ForkInput, SessionView];
  append: [AppendInput, AppendOutput];
  trim: [TrimInput, SessionView];
  page: [PageInput, EventPage];
  /** The head of each session, in their order; null for one that is not there. */
  heads: [{ readonly sessions: readonly SessionKey[] }, readonly (SessionHead | null)[]];
  inbound: [SessionKey & { readonly key: string }, InboundRow | null];
  acquire: [AcquireInput, Lease];
  renew: [RenewInput, Lease];
  release: [SessionKey & { readonly epoch: number }, boolean];
}

export type OperationName = keyof OperationTable;
export type Input<Name extends OperationName> = OperationTable[Name][0];
export type Output<Name extends OperationName> = OperationTable[Name][1];

/**
 * Where operations are carried out: in this thread, in another one, or on another machine.
 *
 * - Calls on one session take effect in the order they were made, reads and writes alike, also without waiting in between.
 *   Memory keeps this because it is synchronous, and SQLite because one thread does everything; a backend with several
 *   connections needs a queue for each session.
 * - The backend says what time it is and whether an owner may still be at work. Many machines have many clocks, so that no
 *   caller's time is compared with a lease.
 */
export interface Backend {
  call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>>;
  /**
   * Tells when someone else may have appended, naming the sessions where it knows them, until what it returns is called.
   * Every change that a call made right after `watch` does not see yet is reported.
   */
  watch(onChange: (sessions?: readonly SessionKey[]) => void): () => void;
  /** Fails while the place does not answer. Default: any read, such as `heads` of no session, must be answered. */
  check?(): Promise<void>;
  /** Whether others may have the same sessions. */
  readonly isShared: boolean;
  /** Whether a lease that has run out is lost although its owner runs. */
  readonly hasStrictLeases?: boolean;
  /** Says that events stay in this thread, so that a copy of their bodies will do instead of text. */
  readonly keepsCopies?: boolean;
  /** The platform's own way to count the bytes of a text in UTF-8, where events are kept as text. */
  readonly byteLength?: ((text: string) => number) | undefined;
  /** A name for an owner that has none, which no process is ever given again. */
  newOwner(): string;
  /** Whether the process of an owner is known to have ended. Absent: nothing is known of owners. */
  hasEnded?(owner: string): boolean;
  close(): Promise<void>;
}

export async function checkBackend(backend: Backend): Promise<void> {
  await (backend.check ? backend.check() : backend.call('heads', { sessions: [] }));
}

/** Why an operation was not done. Plain enough to cross threads; it becomes a StoreError at the store's face. */
export class OperationError extends Error {
  readonly code: StoreErrorCode;
  readonly sessionId: string;

  constructor(code: StoreErrorCode, sessionId: string, message: string) {
    super(message);
    this.code = code;
    this.sessionId = sessionId;
  }
}

export interface SessionKey {
  readonly principal: string;
  readonly sessionId: string;
}

export interface SessionRow {
  /** Grows with every session created; breaks ties in lists. */
  readonly num: number;
  readonly id: string;
  readonly principal: string;
  readonly cwd: string;
  readonly title: string | null;
  readonly metadataJson: string;
  readonly isArchived: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly head: number;
  /** The size of all events that there ever were. */
  readonly bytes: number;
  /** The last event that was dropped; the summary stands in its place. */
  readonly trimmedTo: number;
  /** The size of all that were dropped, less that of the summary. */
  readonly trimmedBytes: number;
  readonly parentId: string | null;
  readonly epoch: number;
  readonly lease: Lease | null;
}

/** A session as it is shown. */
export interface SessionView extends SessionRow {
  /** Whether its owner may still be at work. */
  readonly isHeld: boolean;
}

/** The part of a session that decides whether it may be read or written. */
export type SessionState = Pick<
  SessionRow,
  'num' | 'id' | 'head' | 'bytes' | 'trimmedTo' | 'trimmedBytes' | 'epoch' | 'lease'
>;

export interface CreateInput extends SessionKey {
  readonly cwd: string;
  readonly title: string | null;
  readonly metadataJson: string;
  readonly events: readonly EncodedEvent[];
  readonly copied: CopiedFacts | undefined;
}

export interface ListInput {
  readonly principal: string;
  readonly cwd: string | null;
  readonly archived: 'exclude' | 'only' | 'include';
  /** The last session of the page before. */
  readonly before: { readonly updatedAtMs: number; readonly num: number } | null;
  readonly limit: number;
  /** The metadata of one page; the first session is listed whatever its size. */
  readonly maxBytes: number;
}

export interface ListOutput {
  readonly sessions: readonly SessionView[];
  readonly hasMore: boolean;
}

export interface UpdateInput extends SessionKey {
  readonly title: string | null | undefined;
  readonly metadataJson: string | undefined;
  readonly isArchived: boolean | undefined;
}

export interface ForkInput extends SessionKey {
  readonly newId: string;
  readonly cwd: string | undefined;
  readonly title: string | undefined;
  readonly metadataJson: string | undefined;
  readonly upTo: number | undefined;
}

export interface EncodedEvent {
  readonly kind: string;
  readonly json: string;
  /** The size of `json` in UTF-8; where events are kept as copies, about that. */
  readonly bytes: number;
  /** Undefined for the time at which it is appended. */
  readonly timeMs: number | undefined;
}

export interface AppendInput extends SessionKey {
  readonly events: readonly EncodedEvent[];
  readonly epoch: number | undefined;
  /** Whether it is asked of the owner, so that anybody may append it. */
  readonly isInput: boolean;
  readonly once: InboundRow | undefined;
  readonly settle: InboundRow | undefined;
}

export interface TrimInput extends SessionKey {
  /** The first event that is kept. */
  readonly before: number;
  readonly summary: EncodedEvent;
  readonly epoch: number | undefined;
}

export interface AppendOutput {
  /** As in `SessionHead`. */
  readonly num: number;
  readonly first: number;
  readonly last: number;
  readonly epoch: number;
  /** When the events were appended. */
  readonly timeMs: number;
  /** What was recorded under the key of `once`, when it had been seen before. */
  readonly repeated: InboundRow | null;
}

export interface InboundRow {
  readonly key: string;
  readonly outcomeJson: string | null;
}

export interface PageInput extends SessionKey {
  readonly after: number;
  readonly maxEvents: number;
  readonly maxBytes: number;
}

export interface EventPage extends SessionHead {
  /** As in `SessionRow`: a reader that has nothing begins there. */
  readonly trimmedTo: number;
  /** A JSON array of `[seq, epoch, timeMs, kind, body]`: one text crosses threads and is parsed faster than many. */
  readonly json: string;
}

export interface SessionHead {
  /** Which session this is: when an id is used again, it names another one. */
  readonly num: number;
  /** The last sequence number. */
  readonly head: number;
}

export interface AcquireInput extends SessionKey {
  readonly owner: string;
  readonly leaseMs: number;
  readonly takeOver: boolean;
}

export interface RenewInput extends SessionKey {
  readonly epoch: number;
  readonly leaseMs: number;
}
