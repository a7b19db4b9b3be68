import type { AgentSource } from '@parley/client';
import { type Connection, createConnection } from '@parley/jsonrpc';
import { memoryStore } from '@parley/store/memory';
import { END_TURN } from '@parley/testing/scripted-agent';
import { httpAgent } from '@parley/transports/http';
import { sseAgent } from '@parley/transports/sse';
import { webSocketAgent } from '@parley/transports/websocket';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateway } from '../src/index.ts';
import { scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();
const TOKEN = 'open-sesame';
const CWD = { cwd: process.cwd(), mcpServers: [] };
const PIECE = 'x'.repeat(8000);
const PIECES = 2000;

const WIRES: readonly [string, (url: string) => AgentSource][] = [
  ['a WebSocket', (url) => webSocketAgent(url.replace(/^http/, 'ws'), { token: TOKEN })],
  ['streamable HTTP', (url) => httpAgent(url, { token: TOKEN })],
  ['HTTP+SSE', (url) => sseAgent(url, { token: TOKEN })],
];

async function open(): Promise<{ readonly url: string; readonly told: Set<string> }> {
  const told = new Set<string>();
  const script = {
    on: {
      'session/prompt': [
        { do: 'repeat', times: PIECES, steps: [{ do: 'say', text: PIECE, messageId: 'm-$index' }] },
        { do: 'say', text: 'end', messageId: 'end' },
        END_TURN,
      ],
    },
  } as const;
  const server = gateway({
    store: memoryStore({ isShared: true }),
    agents: { teller: scripted(script) },
    onDiagnostic: ({ kind }) => void told.add(kind),
  });
  const listener = await server.listen({ port: 0, token: TOKEN });
  onTestFinished(async () => {
    await listener.close({ graceMs: 100 });
    await server.close();
  });
  return { url: listener.url, told };
}

interface Viewer {
  readonly connection: Connection;
  /** How many characters the agent has said, and the last of them. */
  readonly heard: { characters: number; last: string };
}

async function view(source: AgentSource, version = 1): Promise<Viewer> {
  const { transport } = await source.open(new AbortController().signal);
  const connection = createConnection(transport);
  onTestFinished(() => connection.close());
  const heard = { characters: 0, last: '' };
  connection.onNotification('session/update', (params) => {
    const { update } = params as { update: { sessionUpdate: string; content?: { text: string } } };
    if (update.sessionUpdate !== 'agent_message_chunk' || !update.content) return;
    heard.characters += update.content.text.length;
    heard.last = update.content.text;
  });
  const info = { name: 'viewer', version: '1' };
  await connection.request('initialize', {
    protocolVersion: version,
    ...(version === 1 ? { clientCapabilities: {}, clientInfo: info } : { capabilities: {}, info }),
  });
  return { connection, heard };
}

const ALL = PIECE.length * PIECES + 'end'.length;

describe.each(WIRES)('viewers of a session over %s', (_, dial) => {
  it('hear everything although one of them does not read, which hears it all when it reads again', async () => {
    const { url, told } = await open();
    const [asking, idle] = [await view(dial(url)), await view(dial(url))];
    const { sessionId } = await asking.connection.request<{ sessionId: string }>('session/new', CWD);
    await idle.connection.request('session/load', { ...CWD, sessionId });
    idle.connection.pause();
    const prompt = [{ type: 'text', text: 'go' }];
    expect(await asking.connection.request('session/prompt', { sessionId, prompt })).toMatchObject({
      stopReason: 'end_turn',
    });
    expect(asking.heard).toEqual({ characters: ALL, last: 'end' });
    // What does not fit on its way to the idle one is no longer kept in memory: it is read from the log.
    expect(told).toContain('viewer_behind');
    idle.connection.resume();
    await until(() => idle.heard.last === 'end');
    expect(idle.heard.characters).toBe(ALL);
  }, 120_000);

  it('hear the same in either version of the protocol, also when they come late', async () => {
    const { url } = await open();
    const [one, two] = [await view(dial(url), 1), await view(dial(url), 2)];
    const { sessionId } = await one.connection.request<{ sessionId: string }>('session/new', CWD);
    await two.connection.request('session/resume', { ...CWD, sessionId });
    await one.connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
    await until(() => two.heard.last === 'end');
    expect(two.heard.characters).toBe(ALL);
    expect(one.heard.characters).toBe(ALL);
    for (const version of [1, 2]) {
      const late = await view(dial(url), version);
      if (version === 1) await late.connection.request('session/load', { ...CWD, sessionId });
      else await late.connection.request('session/resume', { ...CWD, sessionId, replayFrom: { type: 'start' } });
      await until(() => late.heard.last === 'end');
      expect(late.heard.characters).toBe(ALL);
    }
  }, 120_000);
});
