/** What one client connection may hold at a time. Every queue, buffer and wait in this package is bounded by one of these. */
export interface ClientLimits {
  /** Updates kept for sessions whose id we have not been told yet; more are dropped and counted. */
  readonly maxEarlyUpdates: number;
  /** Events of one turn that wait for a slow reader; neighbouring text is joined, more are replaced by a `gap`. */
  readonly maxTurnEvents: number;
  /** Prompts of one session that wait for the turns before them. */
  readonly maxQueuedPrompts: number;
  /** Questions of the agent that may be open at once on the connection; more are refused. */
  readonly maxQuestions: number;
  /**
   * How long a cancelled turn may take to end before we stop waiting for it. Longer than an agent of ours takes to end a
   * turn whose handler goes on (5 s), so that its answer, with all that it has to tell, is waited for. The command and the
   * chat wait as long; `parley cancel` waits longer than they do. Whoever asks to stop a second time does not wait.
   */
  readonly cancelGraceMs: number;
  /** How long requests without a phase of their own (list, set mode, close, ...) may take. */
  readonly requestTimeoutMs: number;
}

export const DEFAULT_CLIENT_LIMITS: ClientLimits = {
  maxEarlyUpdates: 10_000,
  maxTurnEvents: 10_000,
  maxQueuedPrompts: 100,
  maxQuestions: 256,
  cancelGraceMs: 10_000,
  requestTimeoutMs: 60_000,
};
