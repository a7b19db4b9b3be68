/** What an agent holds and waits for at most. */
export interface AgentLimits {
  /**
   * How long a turn may go on after it was cancelled; then the prompt is answered without it. A client that wants
   * this answer waits longer (`ClientLimits.cancelGraceMs`, 3 s by default). Default: 5 s.
   */
  readonly cancelGraceMs: number;
  /**
   * With a store that other processes share: how long a session stays theirs when the process that works in it was lost
   * and cannot be asked, as on another machine. Default: 15 s.
   */
  readonly leaseMs: number;
  /**
   * Turns that are kept of a session, counted from the last. When there are a tenth more, the older ones are deleted from its log between
   * two turns, for good; whoever opens the session is told so. Default: Infinity, all are kept.
   */
  readonly keepTurns: number;
  /** Days for which turns are kept; looked at between two turns, at most once an hour. The last turn stays. Default: Infinity. */
  readonly keepDays: number;
  /** Sessions that one connection may have open. Default: 1,000. */
  readonly maxOpenSessions: number;
  /** With more events than this waiting to be stored, `turn.update` returns a promise. Default: 1,024. */
  readonly highWaterEvents: number;
  /** With more events than this waiting to be stored, `turn.update` throws `backlog_full`. Default: 65,536. */
  readonly maxWaitingEvents: number;
  /**
   * Events that wait in memory for a client that is behind the others; with more than this, it is told from the log once
   * it reads again. Default: 1,024.
   */
  readonly maxBacklogEvents: number;
  /** Bytes of those, about. Default: 1 MiB. */
  readonly maxBacklogBytes: number;
  /** The largest update, as JSON; larger ones throw `invalid_update`. A store may take less. Default: 16 MiB. */
  readonly maxUpdateBytes: number;
  /** Sessions per page of a list. Default: 50. */
  readonly sessionsPerPage: number;
}

export const DEFAULT_AGENT_LIMITS: AgentLimits = {
  cancelGraceMs: 5000,
  leaseMs: 15_000,
  keepTurns: Number.POSITIVE_INFINITY,
  keepDays: Number.POSITIVE_INFINITY,
  maxOpenSessions: 1000,
  highWaterEvents: 1024,
  maxWaitingEvents: 65_536,
  maxBacklogEvents: 1024,
  maxBacklogBytes: 1024 * 1024,
  maxUpdateBytes: 16 * 1024 * 1024,
  sessionsPerPage: 50,
};
