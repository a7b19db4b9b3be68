import { ParleyError } from '@parley/jsonrpc';

/** Every code a store's error can have; docs/concepts/session-log.md says what to do about each. */
export type StoreErrorCode =
  | 'cursor_ahead'
  | 'cursor_expired'
  | 'driver_missing'
  | 'invalid_cursor'
  | 'invalid_input'
  | 'session_exists'
  | 'session_not_found'
  | 'session_owned'
  | 'stale_owner'
  | 'store_busy'
  | 'store_closed'
  | 'store_corrupt'
  | 'store_full'
  | 'store_incompatible'
  | 'store_io'
  | 'store_overloaded'
  | 'store_readonly'
  | 'store_unavailable';

/** The base of every error a session store throws; match on `code`. */
export class StoreError extends ParleyError {
  override readonly name: string = 'StoreError';
  declare readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(code, message, options);
  }
}

/** There is no such session, or it belongs to another principal; the two cannot be told apart. */
export class SessionNotFoundError extends StoreError {
  override readonly name = 'SessionNotFoundError';
  readonly sessionId: string;

  constructor(sessionId: string) {
    super('session_not_found', `There is no session ${quote(sessionId)}; it was deleted or never existed.`);
    this.sessionId = sessionId;
  }
}

/** The session passed to another owner (or was released) since this epoch: stop working on it, write nothing more. */
export class StaleOwnerError extends StoreError {
  override readonly name = 'StaleOwnerError';
  readonly sessionId: string;

  constructor(sessionId: string, message: string) {
    super('stale_owner', message);
    this.sessionId = sessionId;
  }
}

/** Another owner's lease on the session is still running. */
export class SessionOwnedError extends StoreError {
  override readonly name = 'SessionOwnedError';
  readonly sessionId: string;

  constructor(sessionId: string, message: string) {
    super('session_owned', message);
    this.sessionId = sessionId;
  }
}

const MAX_QUOTED_LENGTH = 200;

/** A name within a message: on one line, and not too long to read. */
export function quote(name: string): string {
  return JSON.stringify(name.length > MAX_QUOTED_LENGTH ? `${name.slice(0, MAX_QUOTED_LENGTH)}…` : name);
}
