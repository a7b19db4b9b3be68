// The official SDK's experimental transports, used as its documentation shows.
import { createServer } from 'node:http';
import { client, methods } from '@agentclientprotocol/sdk';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { WebSocket, WebSocketServer } from 'ws';
import { createAgent } from '../sdk.mjs';

const STREAMS = {
  websocket: (port) => createWebSocketStream(`ws://127.0.0.1:${port}/acp`, { WebSocket }),
  http: (port) => createHttpStream(`http://127.0.0.1:${port}/acp`),
};

export async function startServer({ onPrompt }) {
  const acp = new AcpServer({ createAgent: () => createAgent({ onPrompt }) });
  const server = createServer(createNodeHttpHandler(acp));
  server.on('upgrade', createNodeWebSocketUpgradeHandler(acp, new WebSocketServer({ noServer: true })));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    await acp.close();
    server.close();
    server.closeAllConnections();
  };
  return { port: server.address().port, close };
}

export async function dial({ via, port, onUpdate }) {
  const connection = client({ name: 'bench' })
    .onNotification(methods.client.session.update, ({ params }) => onUpdate(params))
    .connect(STREAMS[via](port));
  return {
    request: (method, params) => connection.agent.request(method, params),
    close: async () => connection.close(),
  };
}
