import { type HttpResponse, isGone } from '../server/exchange.ts';
import type { Route, RouteReply, RouteRequest } from './route.ts';

/** Has a route answer a request. Throws what the route throws, before anything was sent. */
export async function serveRoute(route: Route, request: RouteRequest, response: HttpResponse): Promise<void> {
  const reply = await route.handle(request);
  if (isGone(response) || response.headersSent) return;
  const body = bytesOf(reply);
  response.writeHead(reply.status, {
    ...(body && { 'content-type': typeOf(reply), 'content-length': String(body.length) }),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...lowerCased(reply.headers),
  });
  if (body && request.method !== 'HEAD') response.end(body);
  else response.end();
}

/** Answers that have no body by their status say no length either. */
function bytesOf({ status, body = '' }: RouteReply): Uint8Array | undefined {
  if (status === 204 || status === 304) return undefined;
  return typeof body === 'string' ? Buffer.from(body) : body;
}

function typeOf({ body }: RouteReply): string {
  return body instanceof Uint8Array ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}

/** HTTP/2 knows only these, and a default must not stand beside the same field in other letters. */
function lowerCased(headers: RouteReply['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
