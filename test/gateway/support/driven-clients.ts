import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import {
  client as clientOfV2,
  methods as methodsOfV2,
  type UpdateSessionNotification,
} from '@agentclientprotocol/sdk/experimental/v2';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { connect } from '@parley/client';
import { WebSocket } from 'ws';
import { until } from '../../support/waiting.ts';
import { TOKEN, WIRES } from './wires.ts';

/** What every client can be told to do, whoever has written it. It says yes to what it is asked. */
export interface DrivenClient extends AsyncDisposable {
  newSession(): Promise<string>;
  load(sessionId: string): Promise<void>;
  /** Resolves to the stop reason. */
  prompt(sessionId: string, text: string): Promise<string>;
  cancel(sessionId: string): Promise<void>;
  /** What the agent said, in all sessions. */
  said(): string;
}

const CWD = '/';
const headers = { authorization: `Bearer ${TOKEN}` };
const text = (said: string) => [{ type: 'text' as const, text: said }];

export type OpenStream = (port: number) => { readonly stream: Stream; close(): Promise<void> | void };

/** The ways of the official SDK to a gateway. `parley connect` is a program that it starts. */
export function sdkStreams(program: () => string): Readonly<Record<string, OpenStream>> {
  return {
    WebSocket: (port) => ({
      stream: createWebSocketStream(`ws://127.0.0.1:${port}/acp`, { headers, WebSocket }),
      close() {},
    }),
    'streamable HTTP': (port) => ({
      stream: createHttpStream(`http://127.0.0.1:${port}/acp`, { headers }),
      close() {},
    }),
    'parley connect': (port) => {
      const args = [program(), 'connect', `ws://127.0.0.1:${port}/acp`];
      const child = spawn(process.execPath, args, {
        env: { ...process.env, PARLEY_TOKEN: TOKEN },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const exited = new Promise((resolve) => child.once('exit', resolve));
      const output = Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>;
      return {
        stream: ndJsonStream(Writable.toWeb(child.stdin) as WritableStream<Uint8Array>, output),
        async close() {
          child.stdin.end();
          await exited;
        },
      };
    },
  };
}

export async function connectSdkV1(port: number, open: OpenStream): Promise<DrivenClient> {
  const said: string[] = [];
  const { stream, close } = open(port);
  const connection = client({ name: 'sdk' })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
        said.push(update.content.text);
    })
    .onRequest(methods.client.session.requestPermission, () => ({
      outcome: { outcome: 'selected' as const, optionId: 'yes' },
    }))
    .connect(stream);
  const { agent } = connection;
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  return {
    newSession: async () => (await agent.request(methods.agent.session.new, { cwd: CWD, mcpServers: [] })).sessionId,
    async load(sessionId) {
      await agent.request(methods.agent.session.load, { sessionId, cwd: CWD, mcpServers: [] });
    },
    async prompt(sessionId, words) {
      const answer = await agent.request(methods.agent.session.prompt, { sessionId, prompt: text(words) });
      return (answer as { readonly stopReason: string }).stopReason;
    },
    cancel: (sessionId) => agent.notify(methods.agent.session.cancel, { sessionId }),
    said: () => said.join(''),
    async [Symbol.asyncDispose]() {
      connection.close();
      await close();
    },
  };
}

export async function connectSdkV2(port: number, open: OpenStream): Promise<DrivenClient> {
  const updates: UpdateSessionNotification['update'][] = [];
  const { stream, close } = open(port);
  const connection = clientOfV2({ name: 'sdk' })
    .onNotification(methodsOfV2.client.session.update, ({ params }) => {
      updates.push(params.update);
    })
    .onRequest(methodsOfV2.client.session.requestPermission, () => ({
      outcome: { outcome: 'selected' as const, optionId: 'yes' },
    }))
    .connect(stream as never);
  const { agent } = connection;
  const info = { name: 'sdk', version: '1' };
  await agent.request(methodsOfV2.agent.initialize, { protocolVersion: 2, info, capabilities: {} });
  const ends = (): string[] =>
    updates.flatMap((update) => {
      const { sessionUpdate, stopReason } = update as { sessionUpdate: string; stopReason?: string };
      return sessionUpdate === 'state_update' && stopReason ? [stopReason] : [];
    });
  return {
    newSession: async () => (await agent.request(methodsOfV2.agent.session.new, { cwd: CWD })).sessionId,
    async load(sessionId) {
      const replayFrom = { type: 'start' as const };
      await agent.request(methodsOfV2.agent.session.resume, { sessionId, cwd: CWD, replayFrom });
    },
    async prompt(sessionId, words) {
      const before = ends().length;
      await agent.request(methodsOfV2.agent.session.prompt, { sessionId, prompt: text(words) });
      await until('the turn has ended', () => ends().length > before);
      return ends().at(-1) ?? '';
    },
    cancel: (sessionId) => agent.notify(methodsOfV2.agent.session.cancel, { sessionId }),
    said: () =>
      updates
        .flatMap((update) =>
          update.sessionUpdate === 'agent_message_chunk' ? [update.content as { text?: string }] : [],
        )
        .map(({ text: words }) => words ?? '')
        .join(''),
    async [Symbol.asyncDispose]() {
      connection.close();
      await close();
    },
  };
}

export async function connectOurs(port: number, protocol: 1 | 2): Promise<DrivenClient> {
  const connection = await connect(WIRES.WebSocket(port), {
    protocol,
    permissions: { ask: () => ({ optionId: 'yes' }) },
  });
  const sessionOf = (sessionId: string) => {
    const session = connection.sessions.get(sessionId);
    if (!session) throw new Error(`Session ${sessionId} is not open.`);
    return session;
  };
  return {
    newSession: async () => (await connection.newSession({ cwd: CWD })).id,
    async load(sessionId) {
      await connection.loadSession(sessionId, { cwd: CWD });
    },
    prompt: async (sessionId, words) => (await sessionOf(sessionId).prompt(words).result).stopReason,
    cancel: (sessionId) => sessionOf(sessionId).cancel(),
    said: () =>
      [...connection.sessions.values()]
        .flatMap(({ transcript }) => transcript.entries.toArray())
        .map((entry) => (entry.type === 'message' && entry.speaker === 'agent' ? entry.text : ''))
        .join(''),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
