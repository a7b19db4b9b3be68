import type { DialOptions } from '../dial-options.ts';

/** What clients over HTTP take beside what all clients do. */
export interface HttpClientOptions extends DialOptions {
  /** How long a stream that was cut is dialled again before the wire counts as lost. Default: 30 s. */
  readonly resumeMs?: number;
  /** How long a server that sends keep-alives may be silent. Default: 45 s; with HTTP+SSE 15 s. */
  readonly silenceMs?: number;
  /** How long the server may take to accept a message. Default: 5 minutes. */
  readonly postTimeoutMs?: number;
}

export const DEFAULT_RESUME_MS = 30_000;
export const DEFAULT_SILENCE_MS = 45_000;
export const DEFAULT_POST_TIMEOUT_MS = 300_000;
