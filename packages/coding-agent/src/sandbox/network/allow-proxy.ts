import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, type Server as Listener, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { formatHost, type HostTarget, parseHostTarget } from '@parley/policy/hosts';
import { findProxy, openTunnel, proxyAuthorization } from '@parley/transports/proxy';
import { pinned } from '../../operations/web/resolve-host.ts';
import { type JudgeOptions, judgeTarget } from './judge-target.ts';

export interface AllowProxyOptions extends Omit<JudgeOptions, 'isProxied'> {
  /** Names the proxies of this machine's own network: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives the message of a refusal, once for each host. */
  readonly onRefusal: (message: string) => void;
}

const MAX_CONNECTIONS = 256;
const MAX_HEADER_BYTES = 16 * 1024;
/** Models may think for minutes before they stream. */
const IDLE_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = 30_000;
/** Further refusals are only answered. */
const MAX_REPORTED = 100;

/** An HTTP proxy (`CONNECT` and plain HTTP) that leads to the hosts of a list only. Disposing of it ends all its connections. */
export function serveAllowProxy(listener: Listener, options: AllowProxyOptions): Disposable {
  const routes = { ...options, onRefusal: reportOnce(options.onRefusal) };
  const sockets = new Set<Socket>();
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    void forward(request, response, routes);
  });
  server.maxConnections = MAX_CONNECTIONS;
  // Otherwise requests that are sent without waiting for answers would escape the limit.
  server.maxRequestsPerSocket = 1;
  server.setTimeout(IDLE_MS);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, client, head) => void tunnel(request, client, head, routes));
  // Without a server, programs in the sandbox cannot connect, and say so.
  server.on('error', () => {});
  server.listen(listener);
  return {
    [Symbol.dispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** `CONNECT host:port`: bytes both ways, as they come. */
async function tunnel(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  options: AllowProxyOptions,
): Promise<void> {
  const left = new AbortController();
  client.on('error', () => {}).once('close', () => left.abort());
  (client as Socket).setTimeout(IDLE_MS, () => client.destroy());
  try {
    const route = await findRoute(parseHostTarget(request.url ?? ''), 'https:', options);
    if ('status' in route) return void client.end(formatAnswer(route));
    const outside = await openConnection(route, left.signal);
    outside.on('error', () => {});
    outside.write(head);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    pipeline(client, outside, client, () => {});
  } catch (error) {
    client.end(formatAnswer(unreachable(request.url, error)));
  }
}

/** `GET http://host/path`: asked for again, with the host of the address and without headers for this connection alone. */
async function forward(request: IncomingMessage, response: ServerResponse, options: AllowProxyOptions): Promise<void> {
  const answer = ({ status, text }: Answer): void => {
    if (response.headersSent) return void response.destroy();
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(text);
  };
  try {
    const url = readHttpUrl(request.url);
    const route = await findRoute(url && parseHostTarget(`${url.hostname}:${url.port || 80}`), 'http:', options);
    if (url === undefined || 'status' in route) return answer('status' in route ? route : NOT_A_TARGET);
    if (request.socket.destroyed) return;
    const asking = ask(request, url, route).on('error', () => {});
    request.socket.once('close', () => asking.destroy());
    // Not a pipeline, which would end the connection before the answer when the host fails.
    request.pipe(asking);
    const [received] = (await once(asking, 'response')) as [IncomingMessage];
    response.writeHead(received.statusCode ?? 502, endToEnd(received.headers));
    pipeline(received, response, () => {});
  } catch (error) {
    answer(unreachable(request.url, error));
  }
}

function ask({ method, headers }: IncomingMessage, url: URL, { target, addresses, proxy }: Route): ClientRequest {
  const path = `${url.pathname}${url.search}`;
  const asked = { method, headers: { ...endToEnd(headers), host: url.host }, agent: false } as const;
  if (!proxy) return requestHttp({ ...asked, ...target, path, lookup: pinned(addresses) });
  const [host, port] = [proxy.hostname.replace(/^\[|\]$/g, ''), proxy.port || undefined];
  const toProxy = { ...asked, headers: { ...asked.headers, ...proxyAuthorization(proxy) }, host, port };
  const open = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  return open({ ...toProxy, path: `${url.origin}${path}` });
}

/** Where a connection goes. */
interface Route {
  readonly target: HostTarget;
  readonly addresses: readonly string[];
  /** The proxy of this machine's own network. */
  readonly proxy: URL | undefined;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const REASONS: Readonly<Record<number, string>> = { 400: 'Bad Request', 403: 'Forbidden', 502: 'Bad Gateway' };
const NOT_A_TARGET: Answer = {
  status: 400,
  text: 'This is a proxy. Send CONNECT host:port, or a request for an address that begins with http://.\n',
};

async function findRoute(
  target: HostTarget | undefined,
  protocol: 'http:' | 'https:',
  options: AllowProxyOptions,
): Promise<Route | Answer> {
  if (target === undefined) return NOT_A_TARGET;
  const { host, port } = target;
  const proxy = findProxy(new URL(`${protocol}//${formatHost(host)}:${port}`), undefined, options.env);
  const verdict = await judgeTarget(target, { ...options, isProxied: proxy !== undefined });
  if (verdict.type === 'allowed') return { target, proxy, addresses: verdict.addresses };
  if (verdict.type === 'refused') options.onRefusal(verdict.message);
  return { status: verdict.type === 'refused' ? 403 : 502, text: `${verdict.message}\n` };
}

function openConnection({ target, addresses, proxy }: Route, signal: AbortSignal): Promise<Socket> {
  const { host, port } = target;
  if (proxy) return openTunnel({ proxy, host: formatHost(host), port, timeoutMs: CONNECT_TIMEOUT_MS, signal });
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: pinned(addresses), signal });
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject).once('connect', () => resolve(socket.setTimeout(0)));
  });
}

function readHttpUrl(text = ''): URL | undefined {
  return /^http:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

/** Headers without those that are for one connection only (RFC 9110, section 7.6.1). */
function endToEnd(headers: IncomingMessage['headers']): Record<string, string | string[] | undefined> {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/[\s,]+/);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name)));
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
]);

function reportOnce(report: (message: string) => void): (message: string) => void {
  const reported = new Set<string>();
  return (message) => {
    if (reported.has(message) || reported.size >= MAX_REPORTED) return;
    reported.add(message);
    report(message);
  };
}

function unreachable(name: string | undefined, error: unknown): Answer {
  return { status: 502, text: `${name} could not be reached: ${error instanceof Error ? error.message : error}\n` };
}

function formatAnswer({ status, text }: Answer): string {
  const head = `HTTP/1.1 ${status} ${REASONS[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n`;
  return `${head}content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`;
}
