import type { ErrorObject } from './message.ts';
import type { CloseReason } from './transport.ts';

/** The JSON-RPC 2.0 codes, and LSP's code for a cancelled request that ACP adopted. */
export const RPC_ERROR_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
} as const;

/** An error that crosses the wire: throw it in a handler to send it; a failed `request` rejects with it. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  static parseError(message = 'Parse error'): RpcError {
    return new RpcError(RPC_ERROR_CODES.parseError, message);
  }

  static invalidRequest(message = 'Invalid request', data?: unknown): RpcError {
    return new RpcError(RPC_ERROR_CODES.invalidRequest, message, data);
  }

  static methodNotFound(method: string): RpcError {
    return new RpcError(RPC_ERROR_CODES.methodNotFound, `Method not found: ${method}`, { method });
  }

  static invalidParams(message: string, data?: unknown): RpcError {
    return new RpcError(RPC_ERROR_CODES.invalidParams, message, data);
  }

  static internalError(message = 'Internal error', data?: unknown): RpcError {
    return new RpcError(RPC_ERROR_CODES.internalError, message, data);
  }

  static requestCancelled(message = 'Request cancelled'): RpcError {
    return new RpcError(RPC_ERROR_CODES.requestCancelled, message);
  }

  toJSON(): ErrorObject {
    return this.data === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, data: this.data };
  }
}

/** The base of every error that stays on this side of the wire. `code` is stable; match on it, not on the message. */
export class ParleyError extends Error {
  override readonly name: string = 'ParleyError';
  readonly code: string;

  constructor(code: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The connection ended while a request was waiting, or before it could be sent. */
export class ConnectionClosedError extends ParleyError {
  override readonly name = 'ConnectionClosedError';
  readonly reason: CloseReason;

  constructor(message: string, reason: CloseReason) {
    super('connection_closed', message, reason.error ? { cause: reason.error } : undefined);
    this.reason = reason;
  }

  /** The error for whoever waited, for the answer to `method` or for anything else. */
  static because(reason: CloseReason, method?: string): ConnectionClosedError {
    const what = method ? `The connection closed before ${method} was answered` : 'The connection closed';
    return new ConnectionClosedError(reason.error ? `${what}: ${reason.error.message}` : `${what}.`, reason);
  }
}

/** The peer did not answer a request in the time it was given. */
export class RequestTimeoutError extends ParleyError {
  override readonly name = 'RequestTimeoutError';

  constructor(method: string, timeoutMs: number) {
    super('request_timeout', `No answer to ${method} within ${timeoutMs} ms; the request was cancelled.`);
  }
}

/** Something was sent on a transport that is closed. */
export class TransportClosedError extends ParleyError {
  override readonly name = 'TransportClosedError';

  constructor(message = 'The transport is closed; open a new one to send.') {
    super('transport_closed', message);
  }
}

/** The peer asks on and on, and reads none of the answers. */
export class PeerNotReadingError extends ParleyError {
  override readonly name = 'PeerNotReadingError';

  constructor() {
    super(
      'peer_not_reading',
      'The peer went on sending requests without reading the answers; the connection was ended.',
    );
  }
}
