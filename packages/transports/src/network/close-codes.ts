/** The WebSocket close codes (RFC 6455, section 7.4) that either end sends or understands. */
export const CLOSE_CODES = {
  /** Closed in good order. */
  normal: 1000,
  /** The server shuts down, or the page is left. */
  goingAway: 1001,
  /** Something else than ACP was sent: no `initialize` first, or one without an id. */
  protocolError: 1002,
  /** The peer closed without saying why. */
  noStatus: 1005,
  /** The connection broke; never sent. */
  abnormal: 1006,
  invalidText: 1007,
  /** A limit was passed, or the right to be here was lost. */
  policyViolation: 1008,
  messageTooBig: 1009,
  internalError: 1011,
  /** The server restarts; dial again. */
  serviceRestart: 1012,
} as const;

/** Whether a peer that closes with this code ends the wire in good order. */
export function isCleanClose(code: number): boolean {
  return code === CLOSE_CODES.normal || code === CLOSE_CODES.goingAway || code === CLOSE_CODES.noStatus;
}
