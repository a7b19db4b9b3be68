import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AgentContext, agent, methods, type SessionUpdate } from '@agentclientprotocol/sdk';
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { connect } from '@parley/client';
import { httpAgent } from '@parley/transports/http';
import { webSocketAgent } from '@parley/transports/websocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';

const server = createServer();
const acp = new AcpServer({ createAgent });
let port: number;
beforeAll(async () => {
  server.on('request', createNodeHttpHandler(acp));
  server.on('upgrade', createNodeWebSocketUpgradeHandler(acp, new WebSocketServer({ noServer: true })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  await acp.close();
  server.close();
  server.closeAllConnections();
});

describe.each([
  ['WebSocket', () => webSocketAgent(`ws://127.0.0.1:${port}/acp`)],
  ['streamable HTTP', () => httpAgent(`http://127.0.0.1:${port}/acp`)],
])("our client on the official SDK's server over %s", (_, dial) => {
  it('runs a turn with a tool call that needs a permission, cancels one, and loads a session', async () => {
    const asked: unknown[] = [];
    await using connection = await connect(dial(), {
      permissions: {
        ask: ({ toolCall }) => {
          asked.push(toolCall.title);
          return 'allow';
        },
      },
    });
    const session = await connection.newSession({ cwd: '/' });
    const { text, stopReason } = await session.prompt('edit').result;
    expect({ text, stopReason, asked }).toEqual({ text: 'selected', stopReason: 'end_turn', asked: ['Edit a file'] });
    const calls = session.transcript.entries.toArray().filter(({ type }) => type === 'tool_call');
    expect(calls).toMatchObject([{ title: 'Edit a file', status: 'completed' }]);

    const turn = session.prompt('wait');
    for await (const event of turn) if (event.type === 'text') break;
    await turn.cancel();
    expect((await turn.result).stopReason).toBe('cancelled');

    const loaded = await connection.loadSession('stored', { cwd: '/' });
    // The answer and the replay come on two streams of HTTP, which may overtake each other.
    const said = (): string[] =>
      loaded.transcript.entries.toArray().flatMap((entry) => (entry.type === 'message' ? [entry.text] : []));
    while (said().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(said()).toEqual(['old question', 'old answer']);
  });
});

function createAgent() {
  const cancels = new Map<string, () => void>();
  return agent({ name: 'theirs' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: 's1' }))
    .onRequest(methods.agent.session.load, async ({ params: { sessionId }, client }) => {
      const tell = (update: SessionUpdate) => client.notify(methods.client.session.update, { sessionId, update });
      await tell({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'old question' } });
      await tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'old answer' } });
      return {};
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.())
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
      const tell = (update: SessionUpdate) => client.notify(methods.client.session.update, { sessionId, update });
      const say = (text: string) => tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
      const [block] = prompt;
      if (block?.type === 'text' && block.text === 'wait') {
        const cancelled = new Promise<void>((resolve) => cancels.set(sessionId, resolve));
        await say('waiting');
        await cancelled;
        return { stopReason: 'cancelled' };
      }
      await tell({
        sessionUpdate: 'tool_call',
        toolCallId: 'c1',
        title: 'Edit a file',
        kind: 'edit',
        status: 'pending',
      });
      const outcome = await askPermission(client, sessionId);
      await tell({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' });
      await say(outcome);
      return { stopReason: 'end_turn' };
    });
}

async function askPermission(client: AgentContext, sessionId: string): Promise<string> {
  const { outcome } = await client.request(methods.client.session.requestPermission, {
    sessionId,
    toolCall: { toolCallId: 'c1', title: 'Edit a file', kind: 'edit' },
    options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
  });
  return outcome.outcome;
}
