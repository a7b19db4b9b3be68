export { assertNever } from './assert-never.ts';
export type { Connection, Tap } from './connection.ts';
export type { ConnectionOptions } from './connection-options.ts';
export { createDiagnosticLog, type DiagnosticLogOptions, type LoggedDiagnostic } from './diagnostic-log.ts';
export type { Diagnostic, DiagnosticFields, DiagnosticKind } from './diagnostics.ts';
export {
  ConnectionClosedError,
  ParleyError,
  PeerNotReadingError,
  RequestTimeoutError,
  RPC_ERROR_CODES,
  RpcError,
  TransportClosedError,
} from './errors.ts';
export type { RequestContext } from './incoming-request.ts';
export type { RequestHandler } from './incoming-requests.ts';
export { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from './limits.ts';
export {
  type ErrorObject,
  type ErrorResponse,
  isErrorResponse,
  isNotification,
  isRequest,
  isRequestId,
  isResponse,
  isSuccessResponse,
  type Message,
  type Notification,
  type Request,
  type RequestId,
  type Response,
  type SuccessResponse,
} from './message.ts';
export type { NotificationHandler } from './notification-handlers.ts';
export type { RequestOptions } from './outgoing-requests.ts';
export { createConnection } from './peer-connection.ts';
export { fromStream, type MessageStream, toStream } from './streams.ts';
export type { CloseReason, Transport, TransportFault } from './transport.ts';
