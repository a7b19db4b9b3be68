import { type Connection, createConnection, type RequestOptions, type Transport } from '@parley/jsonrpc';
import type { ClientCapabilities, NewSessionResponse, SessionUpdate } from '@parley/protocol/v2';
import { createMemoryPair } from '@parley/transports/memory';
import type { Agent, ServeOptions } from '../../src/index.ts';
import { CWD, until } from '../raw-client.ts';

export interface Received {
  readonly sessionId: string;
  readonly update: SessionUpdate;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A client of version 2 that sends exactly what a test tells it to, and keeps everything that comes back in its order. */
export interface V2Client extends AsyncDisposable {
  readonly connection: Connection;
  readonly received: Received[];
  /** Every message that has arrived, whole. */
  readonly messages: unknown[];
  request<Result = Record<string, unknown>>(
    method: string,
    params?: unknown,
    options?: RequestOptions,
  ): Promise<Result>;
  notify(method: string, params?: unknown): void;
  initialize(capabilities?: ClientCapabilities, meta?: Record<string, unknown>): Promise<Record<string, unknown>>;
  newSession(params?: Record<string, unknown>): Promise<NewSessionResponse>;
  resume(sessionId: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  prompt(sessionId: string, text: string, meta?: Record<string, unknown>): Promise<{ messageId: string }>;
  updates(): SessionUpdate[];
  /** What the session was said to be doing, in order: `running`, `idle end_turn`. */
  states(): string[];
  /** Resolves when so many turns have ended. */
  untilIdle(count?: number): Promise<void>;
  said(): string;
}

export function connectV2Client(served: Agent, options?: ServeOptions): V2Client {
  const [near, far] = createMemoryPair();
  return createV2Client(near, served.serve(far, options));
}

export function createV2Client(transport: Transport, served: Promise<unknown>): V2Client {
  const connection = createConnection(transport);
  const received: Received[] = [];
  const messages: unknown[] = [];
  connection.tap((direction, message) => {
    if (direction === 'in') messages.push(message);
  });
  connection.onNotification('session/update', (params) => {
    received.push(params as Received);
  });
  const client: V2Client = {
    connection,
    received,
    messages,
    request: (method, params, options) => connection.request(method, params, options),
    notify: (method, params) => void connection.notify(method, params),
    initialize: (capabilities = {}, meta) =>
      connection.request('initialize', {
        protocolVersion: 2,
        info: { name: 'test', version: '1' },
        capabilities,
        ...(meta && { _meta: meta }),
      }),
    newSession: (params = {}) => connection.request('session/new', { cwd: CWD, ...params }),
    resume: (sessionId, params = {}) => connection.request('session/resume', { sessionId, cwd: CWD, ...params }),
    prompt: (sessionId, text, meta) =>
      connection.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text }],
        ...(meta && { _meta: meta }),
      }),
    updates: () => received.map(({ update }) => update),
    states: () => client.updates().flatMap(wordState),
    untilIdle: (count = 1) => until(() => client.states().filter((state) => state.startsWith('idle ')).length >= count),
    said: () => client.updates().map(wordsOf).join(''),
    async [Symbol.asyncDispose]() {
      await connection.close();
      await served;
    },
  };
  return client;
}

function wordState(update: SessionUpdate): string[] {
  if (update.sessionUpdate !== 'state_update') return [];
  const { state, stopReason } = update as unknown as { state: string; stopReason?: string };
  return [stopReason === undefined ? state : `${state} ${stopReason}`];
}

function wordsOf(update: SessionUpdate): string {
  if (update.sessionUpdate !== 'agent_message_chunk') return '';
  const { type, text } = update.content as { readonly type: string; readonly text?: string };
  return type === 'text' ? (text ?? '') : '';
}
