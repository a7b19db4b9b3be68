import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { isIP } from 'node:net';
import { tokenInSubprotocols } from '../../network/subprotocol.ts';
import type { Authorization } from '../listener.ts';
import type { Refusal } from '../server/exchange.ts';
import type { ListenSettings } from '../settings.ts';

type Request = IncomingMessage | Http2ServerRequest;

/** How a request was let in. */
export interface Admission {
  readonly principal: string;
  readonly remote: string;
}

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '::1']);

/**
 * The checks before anything else is looked at. `Host` keeps out web pages whose name was pointed at this machine (DNS
 * rebinding), `Origin` those that say who they are, the token all the rest.
 */
export function refuseForeign(request: Request, settings: ListenSettings): Refusal | undefined {
  if (!isKnownHost(request, settings))
    return { status: 403, message: 'Forbidden: this server is not known by that Host' };
  const { origin } = request.headers;
  if (origin !== undefined && !isKnownOrigin(request, settings)) {
    return { status: 403, message: 'Forbidden: pages of that Origin may not connect', headers: { vary: 'Origin' } };
  }
  return undefined;
}

/** Asks `authorize`. What it throws is a fault of this side, and says nothing to the other. */
export async function admit(request: Request, settings: ListenSettings): Promise<Admission | Refusal> {
  const remote = request.socket.remoteAddress ?? '';
  const { method = 'GET', url = '/', headers } = request;
  let answer: Authorization;
  try {
    answer = await settings.authorize({ method, url, headers, token: tokenOf(request), remote });
  } catch (error) {
    return { status: 500, message: 'The authorization failed', error };
  }
  if (answer === undefined) return UNAUTHORIZED;
  return 'principal' in answer ? { principal: answer.principal, remote } : answer;
}

const UNAUTHORIZED: Refusal = {
  status: 401,
  message: 'Unauthorized: send the token of this server as "Authorization: Bearer <token>"',
  headers: { 'www-authenticate': 'Bearer realm="acp"' },
};

/** What a page of an allowed origin needs to see of an answer. */
export function corsHeaders(request: Request): Record<string, string> {
  const { origin } = request.headers;
  if (origin === undefined) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'acp-connection-id, acp-session-id, retry-after, www-authenticate',
    vary: 'Origin',
  };
}

/** The answer to a browser that asks before it sends. */
export function preflightHeaders(request: Request): Record<string, string> {
  if (request.headers['access-control-request-method'] === undefined) return {};
  return {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers':
      'accept, authorization, content-type, last-event-id, acp-connection-id, acp-session-id, acp-protocol-version',
    'access-control-max-age': '600',
    ...(request.headers['access-control-request-private-network'] && {
      'access-control-allow-private-network': 'true',
    }),
  };
}

function isKnownHost(request: Request, { hosts, address }: ListenSettings): boolean {
  const authority = authorityOf(request);
  const name = authority === undefined ? undefined : nameIn(authority);
  if (name === undefined) return false;
  if (LOOPBACK_NAMES.has(name) || hosts.has(name)) return true;
  // On all addresses: the one that was dialled. It cannot be a name that somebody else points here.
  return 'host' in address && isIP(name) !== 0 && name === plainAddress(request.socket.localAddress);
}

function isKnownOrigin(request: Request, { origins }: ListenSettings): boolean {
  const origin = request.headers.origin ?? '';
  if (origins.has(origin)) return true;
  const scheme = 'encrypted' in request.socket && request.socket.encrypted ? 'https' : 'http';
  const authority = authorityOf(request);
  return authority !== undefined && origin === `${scheme}://${authority.toLowerCase()}`;
}

/** HTTP/2 has it in a field of its own; one that says both must say the same. */
function authorityOf({ headers }: Request): string | undefined {
  const authority = headers[':authority'];
  if (typeof authority !== 'string') return headers.host;
  return headers.host === undefined || headers.host === authority ? authority : undefined;
}

/** The name without its port, its brackets and the dot of the root. */
function nameIn(authority: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/@\s]+))(?::\d{1,5})?$/i.exec(authority) ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
}

/** An IPv4 address as it is written, also on a socket of IPv6. */
function plainAddress(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:/, '');
}

function tokenOf({ headers }: Request): string | undefined {
  const [, token] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (token !== undefined) return token;
  const offered = headers['sec-websocket-protocol'];
  return offered === undefined ? undefined : tokenInSubprotocols(offered.split(',').map((each) => each.trim()));
}
