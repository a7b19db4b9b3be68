export {
  ConnectionClosedError,
  ParleyError,
  RequestTimeoutError,
  RPC_ERROR_CODES,
  RpcError,
  TransportClosedError,
} from './errors.ts';
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
export type { CloseReason, Transport, TransportFault } from './transport.ts';
