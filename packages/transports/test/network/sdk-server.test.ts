import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agent, methods } from '@agentclientprotocol/sdk';
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { type Connection, createConnection } from '@parley/jsonrpc';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { httpAgent } from '../../src/http/node/index.ts';
import type { NetworkAgent } from '../../src/network/dial-options.ts';
import { webSocketAgent } from '../../src/websocket/node/index.ts';
import { never } from './wires.ts';

const KINDS: readonly { readonly kind: string; create(url: string): NetworkAgent }[] = [
  { kind: 'WebSocket', create: (url) => webSocketAgent(url.replace(/^http/, 'ws')) },
  { kind: 'streamable HTTP', create: (url) => httpAgent(url) },
];

describe.each(KINDS)("the official SDK's server over $kind", ({ create }) => {
  it('runs turns with permissions, in several sessions at once', async () => {
    const { connection, updates } = await open(create(await serve()));
    const asked: unknown[] = [];
    connection.onRequest('session/request_permission', ({ params }) => {
      asked.push((params as { sessionId: string }).sessionId);
      return { outcome: { outcome: 'selected', optionId: 'yes' } };
    });
    const sessions = await Promise.all([1, 2, 3].map(() => newSession(connection)));
    const answers = await Promise.all(sessions.map((sessionId) => prompt(connection, sessionId, `for ${sessionId}`)));
    expect(answers).toEqual(sessions.map(() => ({ stopReason: 'end_turn' })));
    expect(asked.toSorted()).toEqual(sessions.toSorted());
    for (const sessionId of sessions) {
      expect(updates.get(sessionId)?.join('')).toBe(
        `${Array.from({ length: 100 }, (_, index) => `${index} `).join('')}selected`,
      );
    }
  });

  it('cancels a turn, and closes in good order', async () => {
    const { connection, updates } = await open(create(await serve()));
    const sessionId = await newSession(connection);
    const answer = prompt(connection, sessionId, 'wait');
    while (!updates.get(sessionId)) await new Promise((resolve) => setTimeout(resolve, 5));
    await connection.notify('session/cancel', { sessionId });
    expect(await answer).toEqual({ stopReason: 'cancelled' });
    await connection.close();
  });

  it('tells its error for a request that the agent refuses', async () => {
    const { connection } = await open(create(await serve()));
    await expect(connection.request('session/list', {})).rejects.toMatchObject({ code: -32601 });
  });
});

async function serve(): Promise<string> {
  const cancels = new Map<string, () => void>();
  let sessions = 0;
  const app = agent({ name: 'theirs' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
    .onRequest(methods.agent.session.new, () => {
      sessions += 1;
      return { sessionId: `s${sessions}` };
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.())
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const { sessionId, prompt } = params;
      const say = (text: string) =>
        client.notify(methods.client.session.update, {
          sessionId,
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
        });
      if (JSON.stringify(prompt).includes('wait')) {
        const cancelled = new Promise<void>((resolve) => void cancels.set(sessionId, resolve));
        await say('waiting');
        await cancelled;
        return { stopReason: 'cancelled' as const };
      }
      for (let index = 0; index < 100; index += 1) await say(`${index} `);
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: 'call' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      });
      await say(outcome.outcome);
      return { stopReason: 'end_turn' as const };
    });
  const acp = new AcpServer({ agent: app });
  const server = createServer(createNodeHttpHandler(acp));
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', createNodeWebSocketUpgradeHandler(acp, sockets as never));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    await acp.close();
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
}

async function open(source: NetworkAgent): Promise<{ connection: Connection; updates: Map<string, string[]> }> {
  const { transport } = await source.open(never);
  const connection = createConnection(transport);
  onTestFinished(() => connection.close());
  const updates = new Map<string, string[]>();
  connection.onNotification('session/update', (params) => {
    const { sessionId, update } = params as { sessionId: string; update: { content: { text: string } } };
    updates.set(sessionId, [...(updates.get(sessionId) ?? []), update.content.text]);
  });
  await connection.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  return { connection, updates };
}

async function newSession(connection: Connection): Promise<string> {
  const { sessionId } = (await connection.request('session/new', { cwd: '/', mcpServers: [] })) as {
    sessionId: string;
  };
  return sessionId;
}

function prompt(connection: Connection, sessionId: string, text: string): Promise<unknown> {
  return connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
}
