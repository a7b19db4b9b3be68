import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transport } from '@parley/jsonrpc';
import { byteTransportCases, type TransportPair, textTransportCases } from '@parley/testing/transport-cases';
import { WebSocket as SpecWebSocket } from 'undici';
import { vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { httpAgent } from '../../src/http/node/index.ts';
import type { NetworkAgent } from '../../src/network/dial-options.ts';
import { sseAgent } from '../../src/sse/node/index.ts';
import { webSocketAgent as browserAgent } from '../../src/websocket/index.ts';
import { webSocketAgent } from '../../src/websocket/node/index.ts';
import { INITIALIZE, never } from './wires.ts';

/** Line ends cannot be part of a line of data: each becomes one of its own. */
const SSE = {
  frame: (bytes: Uint8Array) =>
    Buffer.concat(
      splitLines(Buffer.from(bytes))
        .flatMap((line) => [Buffer.from('data: '), line, Buffer.from('\n')])
        .concat([Buffer.from('\n')]),
    ),
  endsFramesAtNewline: false,
  toleratesNoise: false,
};

byteTransportCases('streamable HTTP', {
  ...SSE,
  openPair: async (limits) => {
    const { url, streaming, dispose } = await serveEvents();
    const { transport: near } = await httpAgent(url, { ...limits, resumeMs: 0 }).open(never);
    const answered = new Promise((resolve) => near.onMessage(resolve));
    void near.send(INITIALIZE);
    await answered;
    return withRaw(near, await streaming, dispose);
  },
});

byteTransportCases('HTTP+SSE', {
  ...SSE,
  openPair: async (limits) => {
    const { url, streaming, dispose } = await serveEvents();
    const { transport: near } = await sseAgent(url, { ...limits, resumeMs: 0 }).open(never);
    return withRaw(near, await streaming, dispose);
  },
});

textTransportCases('a WebSocket of Node', () => openRawWebSocket((url) => webSocketAgent(url)));

textTransportCases('a WebSocket of the platform', () => {
  vi.stubGlobal('WebSocket', SpecWebSocket);
  return openRawWebSocket((url) => browserAgent(url));
});

/** Answers `initialize`, accepts everything, and keeps one stream open. */
async function serveEvents() {
  let setStream = (_response: ServerResponse): void => {};
  const streaming = new Promise<ServerResponse>((resolve) => {
    setStream = resolve;
  });
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      setStream(response);
    } else if (request.headers['acp-connection-id'] === undefined) {
      response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'one' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: INITIALIZE.id, result: { protocolVersion: 1 } }));
    } else response.writeHead(202).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dispose = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`, streaming, dispose };
}

function withRaw(near: Transport, response: ServerResponse, dispose: () => void): TransportPair {
  return { near, far: closable(() => response.destroy()), writeRaw: (bytes) => void response.write(bytes), dispose };
}

async function openRawWebSocket(dial: (url: string) => NetworkAgent): Promise<TransportPair> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const connecting = once(server, 'connection') as Promise<[WebSocket]>;
  const { transport: near } = await dial(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`).open(never);
  const [socket] = await connecting;
  return {
    near,
    far: closable(() => socket.close()),
    writeRaw: (bytes) => socket.send(bytes, { binary: false }),
    dispose: () => server.close(),
  };
}

/** Stands for the far side where the test writes to the wire itself. */
function closable(end: () => void): Transport {
  return { close: async () => end() } as Transport;
}

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] !== 0x0a && bytes[index] !== 0x0d) continue;
    lines.push(bytes.subarray(start, index));
    if (bytes[index] === 0x0d && bytes[index + 1] === 0x0a) index += 1;
    start = index + 1;
  }
  return [...lines, bytes.subarray(start)];
}
