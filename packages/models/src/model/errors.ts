import { ParleyError } from '@parley/jsonrpc';

/** Every code a model's error can have; docs/concepts/models.md says what to do about each. */
export type ModelErrorCode =
  | 'auth'
  | 'context_too_long'
  | 'invalid_request'
  | 'network'
  | 'overloaded'
  | 'protocol'
  | 'quota'
  | 'rate_limited'
  | 'server'
  | 'stalled'
  | 'unknown_model';

export interface ModelErrorOptions {
  readonly cause?: unknown;
  /** The HTTP status, when there was an answer. */
  readonly status?: number;
  /** How long the provider asks us to wait. */
  readonly retryAfterMs?: number;
  /** Overrides what the code says about trying again. */
  readonly isRetryable?: boolean;
  /** Nothing listens at an address of this machine: whoever waits for long waits for a server that nobody has started. */
  readonly isDown?: boolean;
}

/** The codes that a second try can cure; nothing else is ever tried again. */
const RETRYABLE: ReadonlySet<ModelErrorCode> = new Set(['network', 'overloaded', 'rate_limited', 'server', 'stalled']);

/** A model could not answer. The message is written for a person; match on `code`. */
export class ModelError extends ParleyError {
  override readonly name = 'ModelError';
  declare readonly code: ModelErrorCode;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly isRetryable: boolean;
  readonly isDown: boolean;

  constructor(code: ModelErrorCode, message: string, options: ModelErrorOptions = {}) {
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.isRetryable = options.isRetryable ?? RETRYABLE.has(code);
    this.isDown = options.isDown ?? false;
  }
}
