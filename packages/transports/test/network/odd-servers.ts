import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createCertificates, type TestCertificates } from '@parley/testing/certificates';
import { afterEach } from 'vitest';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const opened: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];

/** Call it at the top of a test file: whatever a test has opened is gone when it is over. */
export function closeServers(): void {
  afterEach(async () => {
    for (const { server, sockets } of opened.splice(0)) {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    }
  });
}

/** A server of HTTP that does as the handler says, also with upgrades. Resolves with its `host:port`. */
export async function serveHttp(handler: Handler): Promise<string> {
  const server = createServer(handler);
  server.on('upgrade', (request, socket) => {
    handler(request, asResponse(socket as Socket));
  });
  return await open(server);
}

export async function serveTls(
  handler: Handler,
): Promise<{ readonly host: string; readonly certificates: TestCertificates }> {
  const certificates = createCertificates();
  return {
    host: await open(createTlsServer({ key: certificates.key, cert: certificates.cert }, handler)),
    certificates,
  };
}

/** A server of bytes. */
export async function serveTcp(handler: (socket: Socket) => void): Promise<string> {
  return await open(createTcpServer(handler));
}

/** A port at which nobody listens. */
export async function findClosedPort(): Promise<string> {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

async function open(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  opened.push({ server, sockets });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a handler uses of a response, written by hand to the socket of an upgrade. */
function asResponse(socket: Socket): ServerResponse {
  let head = '';
  const response = {
    writeHead(status: number, headers: Readonly<Record<string, string>> = {}) {
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      head = `HTTP/1.1 ${status} No\r\n${fields.join('')}connection: close\r\n\r\n`;
      return response;
    },
    end: (body = '') => socket.end(head + body),
  };
  return response as unknown as ServerResponse;
}
