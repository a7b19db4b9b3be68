import { ParleyError } from '@parley/jsonrpc';

/**
 * `dropped`: an open connection was lost. `unreachable`: nobody listens there. `refused`: the server answered with an
 * error. `not_acp`: something answers, but it is no ACP server. `tls`: the certificate is not trusted, or the handshake
 * failed. `name_not_found`: the host name has no address. `timeout`: no answer in time. `too_large`: a message above the limit.
 */
export type NetworkErrorKind =
  | 'dropped'
  | 'unreachable'
  | 'refused'
  | 'not_acp'
  | 'tls'
  | 'name_not_found'
  | 'timeout'
  | 'too_large';

export interface NetworkErrorOptions {
  readonly kind: NetworkErrorKind;
  /** What happened and what to do, as sentences. */
  readonly message: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** The beginning of the answer's body. */
  readonly body?: string | undefined;
  /** The WebSocket close code, where there was one. */
  readonly closeCode?: number | undefined;
  readonly cause?: unknown;
}

/** A wire over the network could not be opened, or broke. `kind` tells how, for programs; the message for people. */
export class NetworkError extends ParleyError {
  override readonly name = 'NetworkError';
  readonly kind: NetworkErrorKind;
  readonly status: number | undefined;
  readonly body: string | undefined;
  readonly closeCode: number | undefined;

  constructor({ kind, message, status, body, closeCode, cause }: NetworkErrorOptions) {
    super('network_failed', message, { cause });
    this.kind = kind;
    this.status = status;
    this.body = body;
    this.closeCode = closeCode;
  }
}
