import { backoffMs } from '@parley/jsonrpc/internal';
import { kindOfError } from '@parley/protocol';
import { type Clock, SYSTEM_CLOCK, sleep } from '../clock.ts';

export interface RetryOptions {
  /** How often a call is made at most, the first time included. Default: 5. */
  readonly maxAttempts: number;
  /** The first pause; each further one is twice as long: 1, 2, 4, 8 s. Default: 1 s. */
  readonly firstPauseMs: number;
  /** Default: the system's. */
  readonly clock: Clock;
  /** From 0 to 1; spreads the pauses, so that many clients do not come back at once. */
  readonly random: () => number;
  readonly signal?: AbortSignal;
  /** Told before each pause. */
  readonly onRetry?: (retry: { readonly attempt: number; readonly pauseMs: number; readonly error: unknown }) => void;
  readonly isRetryable?: (error: unknown) => boolean;
}

export const DEFAULT_RETRY: Pick<RetryOptions, 'maxAttempts' | 'firstPauseMs' | 'clock' | 'random'> = {
  maxAttempts: 5,
  firstPauseMs: 1000,
  clock: SYSTEM_CLOCK,
  random: Math.random,
};

/**
 * Methods that may be sent again when the first try failed: doing them twice leaves the same state as doing them once.
 * A prompt is not among them, nor is `session/new`, which would leave a second session behind.
 */
export const SAFE_TO_REPEAT: ReadonlySet<string> = new Set([
  'session/list',
  'session/load',
  'session/resume',
  'session/set_mode',
  'session/set_config_option',
  'session/close',
  'session/delete',
]);

/** Makes a call again, after pauses, for as long as it fails in a way that may pass. Only for calls that are safe to repeat. */
export async function withRetry<Result>(
  call: () => Promise<Result>,
  options: Partial<RetryOptions> = {},
): Promise<Result> {
  const { maxAttempts, firstPauseMs, clock, random } = { ...DEFAULT_RETRY, ...options };
  const { signal, onRetry, isRetryable: mayPass = isRetryable } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt >= maxAttempts || !mayPass(error)) throw error;
      const pauseMs = backoffMs(attempt, { firstMs: firstPauseMs, spread: SPREAD, random });
      onRetry?.({ attempt, pauseMs, error });
      await sleep(clock, pauseMs, signal);
    }
  }
}

/** Whether the same call may succeed later. A session that the agent has lost does not come back by waiting. By the meaning of the error, since the dialects' numbers clash. */
export function isRetryable(error: unknown): boolean {
  const kind = kindOfError(error);
  return kind === 'connection_closed' || kind === 'request_timeout' || hasRetryableCode(error);
}

/** Pauses differ from the plan by up to a quarter, both ways. */
const SPREAD = [0.75, 1.25] as const;

/** One dialect numbers a timeout -32001, which means nothing else in v1. */
function hasRetryableCode(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === -32001;
}
