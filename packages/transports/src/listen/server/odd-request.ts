import type { ListenLimits } from '../limits.ts';
import type { HttpRequest, Refusal } from './exchange.ts';

/** What Node's parser lets through though HTTP/1.1 forbids it, or only cuts off where a limit says that it is refused. */
export function refuseOddRequest(request: HttpRequest, { maxHeaders }: ListenLimits): Refusal | undefined {
  if ('stream' in request) return undefined;
  if (request.httpVersionMajor !== 1) return { status: 505, message: 'HTTP Version Not Supported: send HTTP/1.1' };
  const { rawHeaders } = request;
  if (rawHeaders.length > 2 * maxHeaders) {
    return { status: 431, message: `A request may have ${maxHeaders} header fields` };
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  // RFC 9112, section 3.2.
  return hosts > 1 ? { status: 400, message: 'Bad Request: more than one Host' } : undefined;
}

/**
 * A target in absolute form (`GET http://host/acp`, RFC 9112, section 3.2.2) is that of a client which takes this server for a proxy:
 * its authority counts in place of `Host`, its path and query are the target.
 */
export function readAbsoluteForm(request: HttpRequest): void {
  const [, authority, target] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(request.url ?? '') ?? [];
  if (authority === undefined || target === undefined || 'stream' in request) return;
  request.headers.host = authority;
  request.url = target.startsWith('/') ? target : `/${target}`;
}
