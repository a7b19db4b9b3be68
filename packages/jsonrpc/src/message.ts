import { isRecord } from './guards.ts';

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

/**
 * Whether a value can be a request's id; `isStrict` leaves out null and fractions, as ACP v2 does. Integers beyond 2^53 - 1 have lost
 * digits when they were read, so an answer could name another request.
 */
export function isRequestId(id: unknown, isStrict = false): id is RequestId {
  if (typeof id === 'string') return true;
  if (typeof id === 'number') return Number.isInteger(id) ? Number.isSafeInteger(id) : !isStrict;
  return id === null && !isStrict;
}

/** Whether a value is a request as JSON-RPC 2.0 has it. */
export function isRequest(value: unknown): value is Request {
  return isCall(value) && 'id' in value && isRequestId(value.id);
}

export function isNotification(value: unknown): value is Notification {
  return isCall(value) && !('id' in value);
}

/** Whether a value is a response of either kind: exactly one of `result` and `error`, beside an id. */
export function isResponse(value: unknown): value is Response {
  return isSuccessResponse(value) || isErrorResponse(value);
}

export function isSuccessResponse(value: unknown): value is SuccessResponse {
  return isAnswer(value) && 'result' in value && !('error' in value);
}

export function isErrorResponse(value: unknown): value is ErrorResponse {
  return isAnswer(value) && !('result' in value) && isErrorObject(value.error);
}

type Fields = Readonly<Record<string, unknown>>;

function isCall(value: unknown): value is Fields {
  if (!isVersion2(value) || typeof value.method !== 'string') return false;
  return value.params === undefined || (typeof value.params === 'object' && value.params !== null);
}

function isAnswer(value: unknown): value is Fields {
  return isVersion2(value) && !('method' in value) && isRequestId(value.id);
}

function isErrorObject(value: unknown): value is ErrorObject {
  return isRecord(value) && Number.isInteger(value.code) && typeof value.message === 'string';
}

function isVersion2(value: unknown): value is Fields {
  return isRecord(value) && value.jsonrpc === '2.0';
}
