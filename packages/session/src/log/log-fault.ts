import { RpcError } from '@parley/jsonrpc';
import type { BackoffOptions } from '@parley/jsonrpc/internal';

/** Faults of a log that do not pass: the session was deleted, the store closed, or the file is another one. */
const FINAL_CODES: ReadonlySet<unknown> = new Set(['session_not_found', 'store_closed', 'cursor_ahead']);

/** Whether there is no use in trying again to read a session's log. */
export function isFinal(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  // An `RpcError` was made for the client from such a fault already.
  return error instanceof RpcError || FINAL_CODES.has(code) || (cause !== undefined && isFinal(cause));
}

/** The pauses before a log that could not be read is read again. */
export const LOG_BACKOFF: BackoffOptions = { firstMs: 250, maxMs: 30_000 };
