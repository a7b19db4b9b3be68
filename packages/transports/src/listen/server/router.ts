import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Endpoint, EndpointContext } from '../endpoint.ts';
import { admit, corsHeaders, preflightHeaders, refuseForeign } from '../guard/guard.ts';
import { HttpEndpoint } from '../http/http-endpoint.ts';
import { PostEndpoint } from '../post/post-endpoint.ts';
import type { ListenSettings } from '../settings.ts';
import { createSseEndpoints } from '../sse/sse-endpoint.ts';
import { Upgrades } from '../websocket/upgrades.ts';
import { type HttpRequest, type HttpResponse, type Refusal, refuse, replyEmpty } from './exchange.ts';
import { refuseOddRequest } from './odd-request.ts';
import type { RequestHandlers } from './servers.ts';

/** Where each wire is served, and the guard in front of all of them. */
export function createRouter(settings: ListenSettings, context: EndpointContext): RequestHandlers {
  const { path, names } = settings;
  const places = [
    createPlace(path, context),
    ...names.map((name) => createPlace(`${path}/${name}`, { ...context, accept: named(context, name) })),
  ];
  const endpoints = new Map<string, Endpoint>(places.flatMap((place) => place.endpoints));
  const upgrades = new Map<string, Upgrades>(places.map((place) => [place.path, place.upgrades]));

  return {
    onRequest(request, response) {
      response.on('error', () => {});
      request.on('error', () => {});
      handle(request, response).catch(() => refuse(response, { status: 500, message: 'Internal Server Error' }));
    },
    onUpgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      upgrade(request, socket, head).catch(() => socket.destroy());
    },
  };

  async function handle(request: HttpRequest, response: HttpResponse): Promise<void> {
    const foreign = refuseOddRequest(request, settings.limits) ?? refuseForeign(request, settings);
    if (foreign) return refuse(response, foreign);
    for (const [name, value] of Object.entries(corsHeaders(request))) response.setHeader(name, value);
    const url = parseTarget(request);
    const endpoint = url && endpoints.get(url.pathname);
    // A browser asks before it sends, and sends no token with that.
    if (request.method === 'OPTIONS')
      return replyEmpty(response, 204, { ...preflightHeaders(request), ...allow(endpoint) });
    const admission = await admit(request, settings);
    if ('status' in admission) return refuse(response, admission);
    if (!url || !endpoint) return refuse(response, NOT_FOUND);
    if (!endpoint.methods.includes(request.method ?? '')) {
      return refuse(response, { status: 405, message: 'Method Not Allowed', headers: allow(endpoint) });
    }
    const exchange = { request, response, query: url.searchParams, ...admission };
    await endpoint.handle(exchange);
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const foreign = refuseOddRequest(request, settings.limits) ?? refuseForeign(request, settings);
    const admission = foreign ?? (await admit(request, settings));
    if ('status' in admission) return refuseUpgrade(socket, admission);
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return refuseUpgrade(socket, ONLY_WEBSOCKET);
    const place = upgrades.get(parseTarget(request)?.pathname ?? '');
    if (!place) return refuseUpgrade(socket, NOT_FOUND);
    const refusal = context.registry.refuse(admission.principal);
    if (!refusal) return place.accept(request, socket, head, admission);
    // Pages do not see the status of an upgrade; they see the code of a close.
    if (request.headers.origin !== undefined) return place.turnAway(request, socket, head, refusal.message);
    refuseUpgrade(socket, refusal);
  }
}

/** One path, and the wires at and below it. */
interface Place {
  readonly path: string;
  readonly endpoints: readonly (readonly [path: string, endpoint: Endpoint])[];
  readonly upgrades: Upgrades;
}

function createPlace(path: string, context: EndpointContext): Place {
  const sse = createSseEndpoints(context);
  return {
    path,
    endpoints: [
      [path, new HttpEndpoint(context)],
      [`${path}/rpc`, sse.rpc],
      [`${path}/sse`, sse.sse],
      [`${path}/post`, new PostEndpoint(context)],
    ],
    upgrades: new Upgrades(context),
  };
}

/** Connections that come in below a name carry it. */
function named({ accept }: EndpointContext, name: string): EndpointContext['accept'] {
  return (connection) => accept({ ...connection, name });
}

const NOT_FOUND: Refusal = {
  status: 404,
  message: 'Not Found: ACP is served at /acp, /acp/rpc, /acp/sse and /acp/post',
};

const ONLY_WEBSOCKET: Refusal = {
  status: 426,
  message: 'Upgrade Required: the only upgrade here is to WebSocket; HTTP/2 is spoken by prior knowledge',
  headers: { upgrade: 'websocket' },
};

function allow(endpoint: Endpoint | undefined): Record<string, string> {
  return endpoint ? { allow: [...endpoint.methods, 'OPTIONS'].join(', ') } : {};
}

/** Only a path that is written plainly: one that a URL turns into another may have been another to a proxy in front. */
function parseTarget({ url = '' }: { url?: string | undefined }): URL | undefined {
  if (!url.startsWith('/') || !URL.canParse(url, 'http://localhost')) return undefined;
  const parsed = new URL(url, 'http://localhost');
  return url.split(/[?#]/, 1)[0] === parsed.pathname ? parsed : undefined;
}

function refuseUpgrade(socket: Duplex, { status, message, headers = {} }: Refusal): void {
  const body = `${message}\n`;
  const fields = {
    ...headers,
    connection: 'close',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  // Such a socket may be half open, and would wait for its client to end it too.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}
