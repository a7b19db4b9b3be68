// An agent on Parley's connection: stdio transport and generated validators, and nothing that only a client needs.
import { createConnection } from '@parley/jsonrpc';
import { v1 } from '@parley/protocol';
import { ownStdio } from '@parley/transports/stdio';

export function startAgent({ onPrompt }) {
  return serveRequests(createConnection(ownStdio()), { onPrompt });
}

export function serveRequests(connection, { onPrompt }) {
  connection.onRequest('initialize', ({ params }) => {
    const { protocolVersion } = v1.parseParams('initialize', params);
    return { protocolVersion, agentCapabilities: {}, agentInfo: { name: 'bench', version: '1' } };
  });
  connection.onRequest('session/new', ({ params }) => v1.parseParams('session/new', params) && { sessionId: 's1' });
  connection.onRequest('session/set_mode', ({ params }) => v1.parseParams('session/set_mode', params) && {});
  connection.onRequest('session/prompt', async ({ params }) => {
    await onPrompt(v1.parseParams('session/prompt', params), (update) => connection.notify('session/update', update));
    return { stopReason: 'end_turn' };
  });
  return connection.closed;
}
