/** How much a store takes on at once. */
export interface StoreLimits {
  /** Largest event or outcome, as JSON. Default: 16 MiB. */
  readonly maxEventBytes: number;
  /**
   * The size of all that waits to be written, over all sessions. Beyond it, a call fails at once with `store_overloaded`; one that is
   * larger by itself is taken when nothing else waits. Default: 64 MiB; in memory, where nothing waits, no limit.
   */
  readonly maxQueuedBytes: number;
  /** Events a reader holds at a time. Default: 512. */
  readonly maxPageEvents: number;
  /** Bytes a reader holds at a time; one larger event is still read. Default: 1 MiB. */
  readonly maxPageBytes: number;
  /** Metadata in one page of `list`; one larger session is still listed. Default: 16 MiB. */
  readonly maxListBytes: number;
  /** Recent events kept in memory for the followers of a session; slower ones read from the log. Default: 512. */
  readonly maxTailEvents: number;
  /** Bytes of those. Default: 1 MiB. */
  readonly maxTailBytes: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_LIMITS: StoreLimits = {
  maxEventBytes: 16 * MIB,
  maxQueuedBytes: 64 * MIB,
  maxPageEvents: 512,
  maxPageBytes: MIB,
  maxListBytes: 16 * MIB,
  maxTailEvents: 512,
  maxTailBytes: MIB,
};

/** Longest id, key, kind, owner, principal or cwd. */
export const MAX_NAME_LENGTH = 4096;
export const DEFAULT_LEASE_MS = 15_000;
/** The longest lease there is: an hour. */
export const MAX_LEASE_MS = 3_600_000;
export const DEFAULT_LIST_LIMIT = 50;
export const MAX_LIST_LIMIT = 1000;
/** What the numbers of events in a database leave room for. */
export const MAX_SESSION_EVENTS = 0xffff_ffff;
