/** What one connection may hold at a time. Every queue and wait in this package is bounded by one of these. */
export interface ConnectionLimits {
  /**
   * Requests of the peer that may run at once. At the limit we stop reading, which slows the peer down; while we wait
   * for an answer of the peer ourselves we must keep reading, so then further requests are refused instead.
   */
  readonly maxRunningRequests: number;
  /**
   * Answers that may wait for a peer that does not read them. At the limit we stop reading, so that it cannot ask for
   * more; while we wait for an answer of the peer ourselves, further requests are refused instead.
   */
  readonly maxUnsentAnswerBytes: number;
  /** How long running handlers may go on, to send their last answers, after the peer ended the wire. */
  readonly closeGraceMs: number;
  /** Reports of one kind that reach `onDiagnostic` within ten seconds; the rest are only counted. */
  readonly maxDiagnosticsPerKind: number;
  /** Ids of requests we gave up on that are remembered, so that their late answers are not taken for strangers. */
  readonly maxAbandonedRequests: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  maxRunningRequests: 1024,
  maxUnsentAnswerBytes: 8 * 1024 * 1024,
  closeGraceMs: 1000,
  maxDiagnosticsPerKind: 10,
  maxAbandonedRequests: 1024,
};
