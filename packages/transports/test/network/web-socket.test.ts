import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Transport } from '@parley/jsonrpc';
import { transportCases } from '@parley/testing/transport-cases';
import { WebSocket as SpecWebSocket } from 'undici';
import { WebSocketServer } from 'ws';
import { webSocketAgent as browserAgent } from '../../src/websocket/index.ts';
import { webSocketAgent } from '../../src/websocket/node/index.ts';
import { WebSocketTransport } from '../../src/websocket/node/web-socket-transport.ts';

const never = new AbortController().signal;

transportCases('a WebSocket of Node', async () => {
  const { url, accepted, dispose } = await serveOne();
  const { transport: near } = await webSocketAgent(url).open(never);
  return { near, far: await accepted, dispose };
});

transportCases(
  'a WebSocket of the platform',
  async () => {
    Object.assign(globalThis, { WebSocket: SpecWebSocket });
    const { url, accepted, dispose } = await serveOne();
    const { transport: near } = await browserAgent(url).open(never);
    return { near, far: await accepted, dispose };
  },
  { canSlowTheSender: false },
);

async function serveOne(): Promise<{ url: string; accepted: Promise<Transport>; dispose: () => void }> {
  const server: Server = createServer();
  const sockets = new WebSocketServer({ server, maxPayload: 64 * 1024 * 1024 });
  const accepted = new Promise<Transport>((resolve) => {
    sockets.on('connection', (socket, request: IncomingMessage) =>
      resolve(new WebSocketTransport(socket, request.socket as Socket, { name: 'the client' })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dispose = () => {
    for (const each of sockets.clients) each.terminate();
    server.close();
  };
  return { url: `ws://127.0.0.1:${port}/acp`, accepted, dispose };
}
