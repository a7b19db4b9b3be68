import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { JSON_TYPE } from '../../network/headers.ts';

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** A request that the guard has let in, and the response to it. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly query: URLSearchParams;
  readonly principal: string;
  readonly remote: string;
}

/** An answer that ends an exchange before it began. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The message is a JSON-RPC response, for a client that waits for one. */
  readonly isJson?: boolean;
  /** The exchange ends with it, even if the client still sends: over HTTP/1.1 with its socket. */
  readonly isLast?: boolean;
  /** What went wrong here; not for the client. */
  readonly error?: unknown;
}

export function refuse(response: HttpResponse, refusal: Refusal): void {
  const { status, message, headers = {}, isJson = false, isLast = false } = refusal;
  // The response of HTTP/2 finishes only when its stream is closed, which the client may put off.
  if (isLast) ('stream' in response ? response.stream : response).once('finish', () => cutResponse(response));
  if (isJson) return replyJson(response, { status, json: message, headers });
  reply(response, { status, type: 'text/plain; charset=utf-8', text: `${message}\n`, headers });
}

export function replyJson(
  response: HttpResponse,
  { status, json, headers = {} }: { status: number; json: string; headers?: Readonly<Record<string, string>> },
): void {
  reply(response, { status, type: JSON_TYPE, text: json, headers });
}

export function replyEmpty(
  response: HttpResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (!isAnswerable(response)) return;
  // HTTP forbids a length beside 204.
  response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': '0' });
  response.end();
}

/** The one value of a header field. */
export function headerOf(request: HttpRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Ends a response in the middle: over HTTP/1.1 with its socket, over HTTP/2 alone. */
export function cutResponse(response: HttpResponse): void {
  if ('stream' in response) response.stream.destroy();
  else response.destroy();
}

/** The client has left before it could be answered. */
export function isGone(response: HttpResponse): boolean {
  return 'stream' in response ? (response.stream?.destroyed ?? true) : response.destroyed;
}

function reply(
  response: HttpResponse,
  answer: { status: number; type: string; text: string; headers: Readonly<Record<string, string>> },
): void {
  if (!isAnswerable(response)) return;
  response.writeHead(answer.status, {
    'content-type': answer.type,
    'content-length': String(Buffer.byteLength(answer.text)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...answer.headers,
  });
  response.end(answer.text);
}

function isAnswerable(response: HttpResponse): boolean {
  return !isGone(response) && !response.headersSent && !response.writableEnded;
}
