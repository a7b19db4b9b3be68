// vscode-jsonrpc with its own framing; it knows no ACP and validates nothing.
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';

export function startAgent({ onPrompt }) {
  const connection = createMessageConnection(
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  );
  connection.onRequest('initialize', ({ protocolVersion }) => ({ protocolVersion, agentCapabilities: {} }));
  connection.onRequest('session/new', () => ({ sessionId: 's1' }));
  connection.onRequest('session/set_mode', () => ({}));
  connection.onRequest('session/prompt', async (params) => {
    await onPrompt(params, (update) => connection.sendNotification('session/update', update));
    return { stopReason: 'end_turn' };
  });
  connection.listen();
  return new Promise((resolve) => connection.onClose(resolve));
}

export function startClient({ readable, writable, onUpdate }) {
  const connection = createMessageConnection(new StreamMessageReader(readable), new StreamMessageWriter(writable));
  connection.onNotification('session/update', (params) => onUpdate(params));
  connection.listen();
  return {
    request: (method, params) => connection.sendRequest(method, params),
    close: async () => {
      connection.dispose();
      writable.end();
    },
  };
}
