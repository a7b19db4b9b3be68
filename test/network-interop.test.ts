import { type ClientContext, client, methods, type SessionNotification } from '@agentclientprotocol/sdk';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { agent } from '@parley/agent';
import { type Listener, listen } from '@parley/transports/listen';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

const TOKEN = 'interop-token';
const headers = { authorization: `Bearer ${TOKEN}` };

let listener: Listener;
let serving: Promise<unknown>;
/** The turns of `wait` that were cancelled. */
const cancelled: string[] = [];

beforeAll(async () => {
  listener = await listen({ token: TOKEN });
  serving = agent({ name: 'networked', version: '1.0.0' })
    .onPrompt(async (turn) => {
      const [word] = turn.text.split(' ');
      if (word === 'wait') {
        void turn.say('waiting');
        await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
        cancelled.push(turn.session.id);
        return;
      }
      if (word === 'ask') {
        const call = turn.toolCall({ title: 'Ask', kind: 'edit' });
        const decision = await turn.askPermission(call);
        call.complete();
        void turn.say(decision.allowed ? 'allowed' : 'refused');
        return;
      }
      for (let n = 0; n < 300; n += 1) void turn.say(`${n} `);
    })
    .serve(listener);
});

afterAll(async () => {
  await listener.close({ graceMs: 1000 });
  await serving;
});

const STREAMS = {
  'streamable HTTP': () => createHttpStream(listener.url, { headers }),
  WebSocket: () => createWebSocketStream(listener.url.replace('http', 'ws'), { headers, WebSocket }),
};

describe.each(Object.entries(STREAMS))('the official SDK as a client over %s', (_, createStream) => {
  it('prompts, and reads every update in order, before the answer', async () => {
    await using connected = await connect(createStream());
    const sessionId = await connected.newSession();
    expect(await connected.prompt(sessionId, 'count')).toEqual({ stopReason: 'end_turn' });
    expect(connected.said()).toBe(Array.from({ length: 300 }, (__, n) => `${n} `).join(''));
  });

  it('is asked for permission, and its answer arrives', async () => {
    await using connected = await connect(createStream());
    const sessionId = await connected.newSession();
    expect(await connected.prompt(sessionId, 'ask')).toEqual({ stopReason: 'end_turn' });
    expect(connected.said()).toBe('allowed');
  });

  it('cancels a turn', async () => {
    await using connected = await connect(createStream());
    const sessionId = await connected.newSession();
    const prompting = connected.prompt(sessionId, 'wait');
    while (connected.said() !== 'waiting') await new Promise((resolve) => setTimeout(resolve, 1));
    await connected.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompting).toEqual({ stopReason: 'cancelled' });
    expect(cancelled).toContain(sessionId);
  });

  it('loads a session on a new connection', async () => {
    const first = await connect(createStream());
    const sessionId = await first.newSession();
    await first.prompt(sessionId, 'count');
    const said = first.said();
    await first[Symbol.asyncDispose]();
    await using second = await connect(createStream());
    await second.agent.request(methods.agent.session.load, { sessionId, cwd: '/tmp', mcpServers: [] });
    while (second.said().length < said.length) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(second.said()).toBe(said);
  });
});

interface Connected extends AsyncDisposable {
  readonly agent: ClientContext;
  readonly said: () => string;
  readonly newSession: () => Promise<string>;
  readonly prompt: (sessionId: string, text: string) => Promise<unknown>;
}

async function connect(stream: ReturnType<typeof createHttpStream>): Promise<Connected> {
  const updates: SessionNotification['update'][] = [];
  const app = client({ name: 'sdk' })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      const { optionId = '' } = params.options.find(({ kind }) => kind === 'allow_once') ?? {};
      return { outcome: { outcome: 'selected', optionId } };
    });
  const connection = app.connect(stream);
  const { agent: far } = connection;
  await far.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  return {
    agent: far,
    said: () =>
      updates
        .map((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
        )
        .join(''),
    async newSession() {
      const { sessionId } = await far.request(methods.agent.session.new, { cwd: '/tmp', mcpServers: [] });
      return sessionId;
    },
    prompt: (sessionId, text) =>
      far.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    async [Symbol.asyncDispose]() {
      connection.close();
    },
  };
}
