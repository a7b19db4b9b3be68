import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type ClientOptions, WebSocket } from 'ws';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../../framing/framing.ts';
import type { CookieJar } from '../../network/cookie-jar.ts';
import { DEFAULT_CONNECT_TIMEOUT_MS, getHeaders } from '../../network/dial-options.ts';
import { explainFailure, refusalError, timeoutError } from '../../network/explain-failure.ts';
import { MAX_ERROR_BODY_BYTES } from '../../network/limits.ts';
import type { NodeDialOptions } from '../../network/node/node-dial-options.ts';
import { findProxy, openTunnel } from '../../network/node/proxy.ts';
import type { LivenessOptions } from './liveness.ts';
import { WebSocketTransport } from './web-socket-transport.ts';

export interface Dial {
  readonly url: URL;
  readonly name: string;
  readonly cookies: CookieJar;
  readonly options: NodeWebSocketOptions;
  readonly signal: AbortSignal;
}

/** Opens one WebSocket. Leaves nothing behind when it fails, or when the signal aborts. */
export async function dialWebSocket({ url, name, cookies, options, signal }: Dial): Promise<WebSocketTransport> {
  const { connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = options;
  signal.throwIfAborted();
  const headers = await getHeaders(options);
  const cookie = cookies.header;
  const clientOptions: ClientOptions = {
    headers: cookie === undefined ? headers : { ...headers, cookie },
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    ...(options.ca !== undefined && { ca: [options.ca].flat() }),
  };
  const tunnel = await openWay({ url, name, options, signal, connectTimeoutMs });
  if (tunnel) clientOptions.createConnection = () => secure(tunnel, url, options);
  signal.throwIfAborted();

  const socket = new WebSocket(url, clientOptions);
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(timeoutError(name, connectTimeoutMs)), connectTimeoutMs);
    const onAbort = () => fail(signal.reason);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: unknown) => {
      settle();
      // A socket that is ended before it is open reports that as an error, which is no news.
      socket.on('error', () => {});
      socket.terminate();
      tunnel?.destroy();
      reject(error);
    };
    let stream: Socket | undefined;
    signal.addEventListener('abort', onAbort);
    socket.once('upgrade', (response) => {
      stream = response.socket;
      cookies.store(response.headers['set-cookie'] ?? []);
    });
    socket.once('unexpected-response', (_request, response) => void readRefusal(name, response).then(fail));
    const onError = (error: Error) => fail(explainFailure(error, name));
    socket.once('error', onError);
    socket.once('open', () => {
      settle();
      socket.off('error', onError);
      if (stream) resolve(new WebSocketTransport(socket, stream, { ...options, name }));
    });
  });
}

async function openWay({
  url,
  name,
  options,
  signal,
  connectTimeoutMs,
}: Omit<Dial, 'cookies'> & { readonly connectTimeoutMs: number }): Promise<Socket | undefined> {
  const proxy = findProxy(url, options.proxy);
  if (!proxy) return undefined;
  const port = Number(url.port || (url.protocol === 'wss:' ? 443 : 80));
  try {
    return await openTunnel({ proxy, host: url.hostname, port, timeoutMs: connectTimeoutMs, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw explainFailure(error, `${name} (through the proxy ${proxy.host})`);
  }
}

function secure(tunnel: Socket, url: URL, { ca }: NodeWebSocketOptions): Socket {
  if (url.protocol !== 'wss:') return tunnel;
  const { hostname } = url;
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
  // An address is no server name (RFC 6066, section 3), but the certificate must still be its own.
  const name = isAddress ? { host: hostname } : { servername: hostname };
  return connectTls({ socket: tunnel, ...name, ...(ca !== undefined && { ca: [ca].flat() }) });
}

/** The beginning of the body, for people. */
async function readRefusal(name: string, response: IncomingMessage): Promise<Error> {
  let body = '';
  response.setEncoding('utf8');
  const timer = setTimeout(() => response.destroy(), MAX_REFUSAL_MS);
  try {
    for await (const chunk of response) {
      body += chunk;
      if (body.length >= MAX_ERROR_BODY_BYTES) break;
    }
  } catch {
    // What came before the end is all there is.
  } finally {
    clearTimeout(timer);
  }
  const { statusCode: status = 0, headers } = response;
  const { 'content-type': contentType, location } = headers;
  return refusalError({ name, status, contentType, location, body, expected: 'with a WebSocket' });
}

/** How long the body of a refusal is waited for. */
const MAX_REFUSAL_MS = 3000;

export interface NodeWebSocketOptions extends NodeDialOptions, LivenessOptions {}
