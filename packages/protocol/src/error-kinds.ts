import { ParleyError, RpcError } from '@parley/jsonrpc';

/**
 * What an error means, whatever its number. The dialects of ACP give the same numbers different meanings, so code asks
 * for the kind, and a number is only ever made from a kind.
 */
export type ErrorKind =
  | 'parse_error'
  | 'invalid_request'
  | 'method_not_found'
  | 'invalid_params'
  | 'internal_error'
  | 'auth_required'
  | 'auth_failed'
  | 'invalid_auth_method'
  | 'resource_not_found'
  | 'session_not_found'
  | 'session_expired'
  | 'permission_denied'
  | 'invalid_session_state'
  | 'capability_not_supported'
  | 'connection_closed'
  | 'request_timeout'
  | 'request_cancelled'
  | 'unsupported_version'
  | 'busy';

/** What to do about an error. */
export type ErrorAction =
  | 'fix_request'
  | 'investigate'
  | 'authenticate'
  | 'start_session'
  | 'wait_for_turn'
  | 'reconnect'
  | 'retry_later'
  | 'accept';

export interface ErrorKindFacts {
  /** The canonical number on an ACP wire. Several kinds may share one; `data.kind` then tells them apart. */
  readonly code: number;
  /** The message when the sender has nothing more exact to say. */
  readonly message: string;
  /** Whether the same request can still succeed: after `action`, never, or perhaps. */
  readonly recoverable: 'yes' | 'no' | 'maybe';
  readonly action: ErrorAction;
}

export const ERROR_KINDS: Readonly<Record<ErrorKind, ErrorKindFacts>> = {
  parse_error: { code: -32700, message: 'Parse error', recoverable: 'no', action: 'fix_request' },
  invalid_request: { code: -32600, message: 'Invalid request', recoverable: 'no', action: 'fix_request' },
  method_not_found: { code: -32601, message: 'Method not found', recoverable: 'no', action: 'fix_request' },
  invalid_params: { code: -32602, message: 'Invalid params', recoverable: 'no', action: 'fix_request' },
  internal_error: { code: -32603, message: 'Internal error', recoverable: 'maybe', action: 'investigate' },
  auth_required: { code: -32000, message: 'Authentication required', recoverable: 'yes', action: 'authenticate' },
  auth_failed: { code: -32000, message: 'Authentication failed', recoverable: 'yes', action: 'authenticate' },
  invalid_auth_method: {
    code: -32602,
    message: 'Unknown authentication method',
    recoverable: 'no',
    action: 'fix_request',
  },
  resource_not_found: { code: -32002, message: 'Resource not found', recoverable: 'no', action: 'fix_request' },
  session_not_found: { code: -32002, message: 'Session not found', recoverable: 'yes', action: 'start_session' },
  session_expired: { code: -32002, message: 'Session expired', recoverable: 'yes', action: 'start_session' },
  permission_denied: { code: -32603, message: 'Permission denied', recoverable: 'no', action: 'accept' },
  invalid_session_state: {
    code: -32600,
    message: 'Not possible in this state of the session',
    recoverable: 'yes',
    action: 'wait_for_turn',
  },
  capability_not_supported: {
    code: -32601,
    message: 'Capability not supported',
    recoverable: 'no',
    action: 'fix_request',
  },
  connection_closed: { code: -32603, message: 'Connection closed', recoverable: 'yes', action: 'reconnect' },
  request_timeout: { code: -32800, message: 'Request timed out', recoverable: 'yes', action: 'retry_later' },
  request_cancelled: { code: -32800, message: 'Request cancelled', recoverable: 'no', action: 'accept' },
  unsupported_version: {
    code: -32022,
    message: 'Unsupported protocol version',
    recoverable: 'no',
    action: 'accept',
  },
  busy: { code: -32603, message: 'Too busy at the moment', recoverable: 'yes', action: 'retry_later' },
};

/** The kind a canonical number means when nothing else is said. */
const PLAIN_KINDS: ReadonlyMap<number, ErrorKind> = new Map(
  (
    [
      'parse_error',
      'invalid_request',
      'method_not_found',
      'invalid_params',
      'internal_error',
      'auth_required',
      'resource_not_found',
      'request_cancelled',
      'unsupported_version',
    ] as const
  ).map((kind) => [ERROR_KINDS[kind].code, kind]),
);

export interface ErrorDetails {
  /** Default: what the kind says. */
  readonly message?: string;
  /** More for the peer, such as `{ sessionId }` or `{ uri }`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The error to answer a peer with. `data.kind` is added where the number alone would say something else. */
export function errorOfKind(kind: ErrorKind, details: ErrorDetails = {}): RpcError {
  const { code, message } = ERROR_KINDS[kind];
  const data = PLAIN_KINDS.get(code) === kind ? details.data : { ...details.data, kind };
  return new RpcError(code, details.message ?? message, data);
}

/**
 * What an error means: an `RpcError`, the `error` of a response, or an error of our own side. A number that the
 * protocol does not define, and anything else that was thrown, is an `internal_error`.
 */
export function kindOfError(error: unknown): ErrorKind {
  if (error instanceof ParleyError) return isErrorKind(error.code) ? error.code : 'internal_error';
  if (typeof error !== 'object' || error === null || !('code' in error)) return 'internal_error';
  const data = 'data' in error && typeof error.data === 'object' && error.data !== null ? error.data : {};
  const told = 'kind' in data ? data.kind : undefined;
  if (isErrorKind(told) && ERROR_KINDS[told].code === error.code) return told;
  const plain = (typeof error.code === 'number' && PLAIN_KINDS.get(error.code)) || 'internal_error';
  return plain === 'resource_not_found' && 'sessionId' in data ? 'session_not_found' : plain;
}

export function isErrorKind(value: unknown): value is ErrorKind {
  return typeof value === 'string' && Object.hasOwn(ERROR_KINDS, value);
}
