// Parley: connection, stdio transport and generated validators, as the runtimes use them.
import { createConnection } from '@parley/jsonrpc';
import { v1 } from '@parley/protocol';
import { StreamTransport } from '@parley/transports/stream';

export { serveRequests, startAgent } from './parley-agent.mjs';

export function startClient({ readable, writable, onUpdate, maxMessageBytes }) {
  const transport = new StreamTransport({ readable, writable }, maxMessageBytes ? { maxMessageBytes } : {});
  const connection = createConnection(transport);
  connection.onNotification('session/update', (params) => onUpdate(v1.parseParams('session/update', params)));
  return {
    request: (method, params) => connection.request(method, params),
    close: () => connection.close(),
  };
}
