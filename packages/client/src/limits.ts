/** What one client connection may hold at a time. Every queue, buffer and wait in this package is bounded by one of these. */
export interface ClientLimits {
  /** Updates kept for sessions whose id we have not been told yet; more are dropped and counted. */
  readonly maxEarlyUpdates: number;
  /** Events of one turn that wait for a slow reader; neighbouring text is joined, more are replaced by a `gap`. */
  readonly maxTurnEvents: number;
  /**
   * What the agent may say and think in one turn. A turn with more is cancelled and fails: what came until then is whole, and
   * JavaScript could not hold much more in one text.
   */
  readonly maxTurnCharacters: number;
  /** Prompts of one session that wait for the turns before them. */
  readonly maxQueuedPrompts: number;
  /** Questions of the agent that may be open at once on the connection; more are refused. */
  readonly maxQuestions: number;
  /**
   * How long a cancelled turn may take to end before we stop waiting for it. Cancelling a second time stops waiting at once. An agent
   * of ours takes up to 5 s when a handler does not stop: set more than that where its last words matter.
   */
  readonly cancelGraceMs: number;
  /**
   * How long a turn stays open after its last background sub-agent has ended, for the agent to start handling the result. Turns without
   * background sub-agents end at once.
   */
  readonly subagentReportMs: number;
  /** How long requests without a phase of their own (list, set mode, close, ...) may take. */
  readonly requestTimeoutMs: number;
}

export const DEFAULT_CLIENT_LIMITS: ClientLimits = {
  maxEarlyUpdates: 10_000,
  maxTurnEvents: 10_000,
  maxTurnCharacters: 500_000_000,
  maxQueuedPrompts: 100,
  maxQuestions: 256,
  cancelGraceMs: 3000,
  subagentReportMs: 5_000,
  requestTimeoutMs: 60_000,
};
