/** A request's identity. Numbers and strings are told apart: `1` and `"1"` are two ids. */
export type RequestId = number | string | null;

export interface Request {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

export interface Notification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: unknown;
}

export interface SuccessResponse {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: unknown;
}

export interface ErrorResponse {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly error: ErrorObject;
}

export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Response = SuccessResponse | ErrorResponse;

/** One JSON-RPC value as it crosses a wire. */
export type Message = Request | Notification | Response;

/** Whether a value can be a request's id; `isStrict` leaves out null and fractions, as ACP v2 does. */
export function isRequestId(id: unknown, isStrict: boolean): id is RequestId {
  if (typeof id === 'string') return true;
  if (typeof id === 'number') return !isStrict || Number.isInteger(id);
  return id === null && !isStrict;
}
