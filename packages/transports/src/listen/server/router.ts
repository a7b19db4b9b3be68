import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Endpoint, EndpointContext } from '../endpoint.ts';
import { admit, corsHeaders, preflightHeaders, refuseForeign } from '../guard/guard.ts';
import { HttpEndpoint } from '../http/http-endpoint.ts';
import type { RefusedRequest } from '../listener.ts';
import { PostEndpoint } from '../post/post-endpoint.ts';
import type { Route } from '../routes/route.ts';
import { RouteTable } from '../routes/route-table.ts';
import { serveRoute } from '../routes/serve-route.ts';
import type { ListenSettings } from '../settings.ts';
import { createSseEndpoints } from '../sse/sse-endpoint.ts';
import { Upgrades } from '../websocket/upgrades.ts';
import { type HttpRequest, type HttpResponse, type Refusal, refuse, replyEmpty } from './exchange.ts';
import { readAbsoluteForm, refuseOddRequest } from './odd-request.ts';
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

  const routes = new RouteTable(settings.routes, (path) => endpoints.has(path));

  return {
    onRequest(request, response) {
      readAbsoluteForm(request);
      response.on('error', () => {});
      request.on('error', () => {});
      handle(request, response).catch((error: unknown) => turnAway(request, response, { ...FAILED, error }));
    },
    onUpgrade(request, socket, head) {
      readAbsoluteForm(request);
      socket.on('error', () => socket.destroy());
      upgrade(request, socket, head).catch(() => socket.destroy());
    },
  };

  async function handle(request: HttpRequest, response: HttpResponse): Promise<void> {
    const foreign = refuseOddRequest(request, settings.limits) ?? refuseForeign(request, settings);
    if (foreign) return turnAway(request, response, foreign);
    for (const [name, value] of Object.entries(corsHeaders(request))) response.setHeader(name, value);
    const url = parseTarget(request);
    const endpoint = url && endpoints.get(url.pathname);
    const placed = url && !endpoint ? routes.find(url.pathname) : undefined;
    const methods = endpoint?.methods ?? placed?.methods;
    // A browser asks before it sends, and sends no token with that.
    if (request.method === 'OPTIONS')
      return replyEmpty(response, 204, { ...preflightHeaders(request), ...allow(methods) });
    const admission = placed?.route.access === 'anyone' ? nobody(request) : await admit(request, settings);
    if ('status' in admission) return turnAway(request, response, admission);
    if (!url || !methods) return turnAway(request, response, NOT_FOUND, admission.principal);
    if (!methods.includes(request.method ?? '')) {
      const refusal = { status: 405, message: 'Method Not Allowed', headers: allow(methods) };
      return turnAway(request, response, refusal, admission.principal);
    }
    if (placed) return answerRoute(placed.route, { url, ...admission }, request, response);
    const { principal = '', remote } = admission;
    await endpoint?.handle({ request, response, query: url.searchParams, principal, remote });
    const { statusCode: status } = response;
    if (status >= 400) settings.onRefusal(describeRefusal(request, { status, message: statusText(status) }, principal));
  }

  async function answerRoute(
    route: Route,
    { url, principal, remote }: Visitor & { readonly url: URL },
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> {
    const { method = 'GET', headers } = request;
    const asked = { method, path: url.pathname, query: url.searchParams, headers, principal, remote };
    try {
      await serveRoute(route, asked, response);
    } catch (error) {
      turnAway(request, response, { ...FAILED, error }, principal);
    }
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const foreign = refuseOddRequest(request, settings.limits) ?? refuseForeign(request, settings);
    const admission = foreign ?? (await admit(request, settings));
    const refused = (refusal: Refusal): void => {
      settings.onRefusal(describeRefusal(request, refusal, 'principal' in admission ? admission.principal : undefined));
      refuseUpgrade(socket, refusal);
    };
    if ('status' in admission) return refused(admission);
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return refused(ONLY_WEBSOCKET);
    const place = upgrades.get(parseTarget(request)?.pathname ?? '');
    if (!place) return refused(NOT_FOUND);
    const refusal = context.registry.refuse(admission.principal);
    if (!refusal) return place.accept(request, socket, head, admission);
    // Pages do not see the status of an upgrade; they see the code of a close.
    if (request.headers.origin === undefined) return refused(refusal);
    settings.onRefusal(describeRefusal(request, refusal, admission.principal));
    place.turnAway(request, socket, head, refusal.message);
  }

  function turnAway(request: HttpRequest, response: HttpResponse, refusal: Refusal, principal?: string): void {
    settings.onRefusal(describeRefusal(request, refusal, principal));
    refuse(response, refusal);
  }
}

/** Who has come in; a route for anyone does not ask. */
interface Visitor {
  readonly principal: string | undefined;
  readonly remote: string;
}

function nobody({ socket }: HttpRequest): Visitor {
  return { principal: undefined, remote: socket.remoteAddress ?? '' };
}

function describeRefusal(request: HttpRequest, refusal: Refusal, principal: string | undefined): RefusedRequest {
  const { method = '', url = '', socket } = request;
  const { status, message, error } = refusal;
  return {
    status,
    message,
    method,
    path: url.split(/[?#]/, 1)[0] ?? '',
    remote: socket?.remoteAddress ?? '',
    ...(principal !== undefined && { principal }),
    ...(error !== undefined && { error }),
  };
}

const FAILED: Refusal = { status: 500, message: 'Internal Server Error' };

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

function allow(methods: readonly string[] | undefined): Record<string, string> {
  return methods ? { allow: [...methods, 'OPTIONS'].join(', ') } : {};
}

/** Only a path that is written plainly: one that a URL turns into another may have been another to a proxy in front. */
function parseTarget({ url = '' }: { url?: string | undefined }): URL | undefined {
  if (!url.startsWith('/') || !URL.canParse(url, 'http://localhost')) return undefined;
  const parsed = new URL(url, 'http://localhost');
  return url.split(/[?#]/, 1)[0] === parsed.pathname ? parsed : undefined;
}

function statusText(status: number): string {
  return STATUS_CODES[status] ?? '';
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
  socket.end(`HTTP/1.1 ${status} ${statusText(status)}\r\n${lines.join('')}\r\n${body}`);
}
