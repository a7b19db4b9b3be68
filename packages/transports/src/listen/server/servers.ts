import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttp2Server, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ListenSettings } from '../settings.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';
import { peekProtocol } from './peek-protocol.ts';

export interface RequestHandlers {
  onRequest(request: HttpRequest, response: HttpResponse): void;
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** One port for HTTP/1.1, WebSocket upgrades and HTTP/2: over TLS by ALPN, otherwise by the first bytes of the client. */
export interface Servers {
  readonly server: Server;
  /** Cuts all that is still open. */
  destroy(): void;
}

export function createServers(settings: ListenSettings, { onRequest, onUpgrade }: RequestHandlers): Servers {
  const { tls, limits } = settings;
  const options: ServerOptions = {
    maxHeaderSize: limits.maxHeaderBytes,
    // Node refuses a header that may take longer than the whole request.
    headersTimeout: Math.min(limits.headerTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.max(10, Math.min(1000, limits.headerTimeoutMs / 4)),
    keepAliveTimeout: 60_000,
    keepAlive: true,
    keepAliveInitialDelay: limits.pingMs,
    noDelay: true,
  };
  const server = tls
    ? createHttpsServer({
        ...options,
        ...tls,
        ALPNProtocols: ['h2', 'http/1.1'],
        handshakeTimeout: limits.headerTimeoutMs,
      })
    : createHttpServer(options);
  // One more than may be, so that too many are seen: Node passes over those above its count.
  server.maxHeadersCount = limits.maxHeaders + 1;
  server.maxConnections = limits.maxSockets;
  server.on('request', onRequest);
  server.on('upgrade', onUpgrade);

  const sockets = new Set<Socket>();
  const http2 = createHttp2(settings, onRequest);
  // The server's own listener serves HTTP/1.1; ours comes before it and chooses.
  const event = tls ? 'secureConnection' : 'connection';
  const [serveHttp1] = server.listeners(event);
  server.removeAllListeners(event);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on(event, (socket: Socket) => {
    const serve = (protocol: 'http/1.1' | 'h2'): void => {
      if (protocol === 'h2') http2.emit('connection', socket);
      else serveHttp1?.call(server, socket);
    };
    if ('alpnProtocol' in socket) serve(socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1');
    else peekProtocol(socket, { timeoutMs: limits.headerTimeoutMs, onProtocol: serve });
  });

  return {
    server,
    destroy() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function createHttp2({ limits }: ListenSettings, onRequest: RequestHandlers['onRequest']): Http2Server {
  const server = createHttp2Server({
    maxHeaderListPairs: limits.maxHeaders,
    maxSendHeaderBlockLength: limits.maxHeaderBytes,
    settings: { maxHeaderListSize: limits.maxHeaderBytes, initialWindowSize: 1024 * 1024, maxConcurrentStreams: 256 },
  });
  server.on('request', onRequest);
  server.on('session', (session: ServerHttp2Session) => {
    session.on('error', () => {});
    // Signs of life on a stream count, so only a session without any comes to this.
    session.setTimeout(limits.idleMs, () => session.close());
  });
  server.on('sessionError', () => {});
  return server;
}
