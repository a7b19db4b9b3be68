import { once } from 'node:events';
import { cutResponse, type HttpResponse, isGone } from '../server/exchange.ts';
import type { Route, RouteReply, RouteRequest } from './route.ts';

/** Has a route answer a request. Throws what the route throws, before anything was sent. */
export async function serveRoute(
  route: Route,
  asked: Omit<RouteRequest, 'signal'>,
  response: HttpResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const request = { ...asked, signal: gone.signal };
  const reply = await route.handle(request);
  if (isGone(response) || response.headersSent) return;
  const body = bytesOf(reply);
  const isStream = body !== undefined && !(body instanceof Uint8Array);
  response.writeHead(reply.status, {
    ...(body && { 'content-type': typeOf(reply) }),
    ...(body instanceof Uint8Array && { 'content-length': String(body.length) }),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...lowerCased(reply.headers),
  });
  if (!body || request.method === 'HEAD') response.end();
  else if (isStream) await sendStream(body, response, gone.signal);
  else response.end(body);
}

/** Sends piece by piece, each when the client has taken the last. */
async function sendStream(
  body: AsyncIterable<string | Uint8Array>,
  response: HttpResponse,
  gone: AbortSignal,
): Promise<void> {
  // Over HTTP/1.1 they would wait for the first piece.
  if ('flushHeaders' in response) response.flushHeaders();
  const pieces = body[Symbol.asyncIterator]();
  const whenGone = once(gone, 'abort').then(() => ({ done: true as const, value: undefined }));
  try {
    for (;;) {
      const { value, done } = await Promise.race([pieces.next(), whenGone]);
      if (done) break;
      if (!write(response, value)) await once(response, 'drain', { signal: gone }).catch(() => {});
    }
    // It may wait for something to happen, which nobody wants to hear any more.
    if (gone.aborted) void Promise.resolve(pieces.return?.()).catch(() => {});
    if (!gone.aborted) response.end();
  } catch {
    // The status was sent long ago; a cut is all that still tells of it.
    cutResponse(response);
  }
}

function write(response: HttpResponse, piece: string | Uint8Array): boolean {
  return 'stream' in response ? response.stream.write(piece) : response.write(piece);
}

/** Answers that have no body by their status say no length either. */
function bytesOf({ status, body = '' }: RouteReply): Uint8Array | AsyncIterable<string | Uint8Array> | undefined {
  if (status === 204 || status === 304) return undefined;
  return typeof body === 'string' ? Buffer.from(body) : body;
}

function typeOf({ body }: RouteReply): string {
  return typeof body !== 'string' && body !== undefined ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}

/** HTTP/2 knows only these, and a default must not stand beside the same field in other letters. */
function lowerCased(headers: RouteReply['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
