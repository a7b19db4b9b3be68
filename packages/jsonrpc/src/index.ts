export { cloneJson } from './clone-json.ts';
export {
  type Connection,
  type ConnectionOptions,
  createConnection,
  type NotificationHandler,
  type Tap,
} from './connection.ts';
export type { Diagnostic, DiagnosticKind } from './diagnostics.ts';
export {
  ConnectionClosedError,
  ParleyError,
  RequestTimeoutError,
  RPC_ERROR_CODES,
  RpcError,
  TransportClosedError,
} from './errors.ts';
export type { RequestContext } from './incoming-request.ts';
export type { RequestHandler } from './incoming-requests.ts';
export { leastJsonLength, MOST_BYTES_PER_CHARACTER } from './json-length.ts';
export { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from './limits.ts';
export type {
  ErrorObject,
  ErrorResponse,
  Message,
  Notification,
  Request,
  RequestId,
  Response,
  SuccessResponse,
} from './message.ts';
export type { RequestOptions } from './outgoing-requests.ts';
export { SharedAborts } from './shared-aborts.ts';
export { fromStream, type MessageStream, toStream } from './streams.ts';
export type { CloseReason, Transport, TransportFault } from './transport.ts';
