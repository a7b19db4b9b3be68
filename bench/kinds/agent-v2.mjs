// Parley's agent runtime, asked in version 2 of the protocol: the same agent, and Parley's connection at the other end.
import { createConnection } from '@parley/jsonrpc';
import { v2 } from '@parley/protocol/v2';
import { StreamTransport } from '@parley/transports/stream';

export { startAgent } from './agent.mjs';

/** Takes the requests of version 1 that the benchmark makes: a prompt is answered when the session is idle again. */
export function startClient({ readable, writable, onUpdate }) {
  const connection = createConnection(new StreamTransport({ readable, writable }));
  let onIdle = () => {};
  connection.onNotification('session/update', (params) => {
    const { update } = v2.parseParams('session/update', params);
    if (update.sessionUpdate === 'state_update') {
      if (update.state === 'idle') onIdle();
    } else if (update.sessionUpdate !== 'user_message_chunk') onUpdate();
  });
  const requests = {
    initialize: () =>
      connection.request('initialize', { protocolVersion: 2, info: { name: 'bench', version: '1' }, capabilities: {} }),
    'session/prompt': async (params) => {
      const idle = new Promise((resolve) => {
        onIdle = resolve;
      });
      await connection.request('session/prompt', params);
      await idle;
    },
  };
  return {
    request: (method, params) => requests[method]?.(params) ?? connection.request(method, params),
    close: () => connection.close(),
  };
}
