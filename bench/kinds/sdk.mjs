// The official SDK, used as its README shows.
import { Readable, Writable } from 'node:stream';
import { agent, client, methods, ndJsonStream } from '@agentclientprotocol/sdk';

export function startAgent({ onPrompt }) {
  const stream = ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));
  return createAgent({ onPrompt }).connect(stream).closed;
}

export function createAgent({ onPrompt }) {
  return agent({ name: 'bench' })
    .onRequest(methods.agent.initialize, ({ params }) => ({
      protocolVersion: params.protocolVersion,
      agentCapabilities: {},
      agentInfo: { name: 'bench', version: '1' },
    }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: 's1' }))
    .onRequest(methods.agent.session.setMode, () => ({}))
    .onRequest(methods.agent.session.prompt, async ({ params, client: peer }) => {
      await onPrompt(params, (update) => peer.notify(methods.client.session.update, update));
      return { stopReason: 'end_turn' };
    });
}

export function startClient({ readable, writable, onUpdate, maxMessageBytes }) {
  const stream = ndJsonStream(
    Writable.toWeb(writable),
    Readable.toWeb(readable),
    maxMessageBytes ? { maxMessageBytes } : {},
  );
  const connection = client({ name: 'bench' })
    .onNotification(methods.client.session.update, ({ params }) => onUpdate(params))
    .connect(stream);
  return {
    request: (method, params) => connection.agent.request(method, params),
    close: async () => connection.close(),
  };
}
