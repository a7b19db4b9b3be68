/** How long each kind of waiting may take. Fast agents never reach them; a hanging one costs no more than this. */
export interface CheckLimits {
  /** Until an agent has answered `initialize`. Real agents have been seen to take 55 s. Default: 60 s. */
  readonly startMs: number;
  /** Until a request is answered that needs no model. Default: 10 s. */
  readonly answerMs: number;
  /** Until a prompt is answered. Default: 60 s. */
  readonly turnMs: number;
  /** Until a cancelled prompt is answered. Default: 5 s. */
  readonly cancelMs: number;
  /** Until a process ends whose stdin has ended. Default: 3 s. */
  readonly exitMs: number;
  /** How long silence must last to count as silence. Default: 100 ms. */
  readonly quietMs: number;
  /** For one check altogether. Default: 150 s. */
  readonly checkMs: number;
}

export const DEFAULT_CHECK_LIMITS: CheckLimits = {
  startMs: 60_000,
  answerMs: 10_000,
  turnMs: 60_000,
  cancelMs: 5_000,
  exitMs: 3_000,
  quietMs: 100,
  checkMs: 150_000,
};

/** The limits when a person has said how long they are willing to wait for one answer. */
export function limitsFor(timeoutMs: number): CheckLimits {
  const d = DEFAULT_CHECK_LIMITS;
  return {
    ...d,
    startMs: timeoutMs,
    turnMs: timeoutMs,
    answerMs: Math.min(d.answerMs, timeoutMs),
    cancelMs: Math.min(d.cancelMs, timeoutMs),
    checkMs: Math.round(2.5 * timeoutMs),
  };
}
