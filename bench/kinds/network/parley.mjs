// Parley over the network: its listener, its connection and its clients, as the runtimes use them.
import { createConnection } from '@parley/jsonrpc';
import { v1 } from '@parley/protocol';
import { httpAgent } from '@parley/transports/http';
import { listen } from '@parley/transports/listen';
import { sseAgent } from '@parley/transports/sse';
import { webSocketAgent } from '@parley/transports/websocket';
import { serveRequests } from '../parley.mjs';

const AGENTS = {
  websocket: (port) => webSocketAgent(`ws://127.0.0.1:${port}/acp`),
  http: (port) => httpAgent(`http://127.0.0.1:${port}/acp`),
  sse: (port) => sseAgent(`http://127.0.0.1:${port}/acp`),
};

export async function startServer({ onPrompt }) {
  const listener = await listen({ authorize: 'anyone', limits: { maxConnections: 5000 } });
  const accept = async () => {
    for await (const { transport } of listener.connections) serveRequests(createConnection(transport), { onPrompt });
  };
  void accept();
  return { port: listener.port, close: () => listener.close({ graceMs: 0 }) };
}

export async function dial({ via, port, onUpdate }) {
  const { transport } = await AGENTS[via](port).open(new AbortController().signal);
  const connection = createConnection(transport);
  connection.onNotification('session/update', (params) => onUpdate(v1.parseParams('session/update', params)));
  return {
    request: (method, params) => connection.request(method, params),
    close: () => connection.close(),
  };
}
