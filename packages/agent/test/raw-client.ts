import { type Connection, createConnection, type RequestOptions, type Transport } from '@parley/jsonrpc';
import type { ClientCapabilities, NewSessionResponse, SessionUpdate } from '@parley/protocol';
import { createMemoryPair } from '@parley/transports/memory';
import { type Agent, type AgentDiagnostic, type AgentOptions, agent, type ServeOptions } from '../src/index.ts';
// Here before the first test, so that `settle` does not have to wait for it.
import '../src/peer/v1/serve.ts';

/** Everything that a client can offer. */
export const ALL_CAPABILITIES: ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
  elicitation: { form: {}, url: {} },
  auth: { terminal: true },
};

export interface Received {
  readonly sessionId: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly update: SessionUpdate;
}

/** A client that sends exactly what a test tells it to, and keeps everything that comes back in its order. */
export interface RawClient extends AsyncDisposable {
  readonly connection: Connection;
  /** Every update received so far. */
  readonly received: Received[];
  /** Every message that has arrived, whole. */
  readonly messages: unknown[];
  readonly served: Promise<unknown>;
  request<Result = Record<string, unknown>>(
    method: string,
    params?: unknown,
    options?: RequestOptions,
  ): Promise<Result>;
  notify(method: string, params?: unknown): void;
  initialize(capabilities?: ClientCapabilities, meta?: Record<string, unknown>): Promise<Record<string, unknown>>;
  newSession(params?: Record<string, unknown>): Promise<NewSessionResponse>;
  prompt(sessionId: string, text: string, meta?: Record<string, unknown>): Promise<{ stopReason: string }>;
  updates(sessionId?: string): SessionUpdate[];
  /** What the agent has said, put together. */
  said(sessionId?: string): string;
}

export const CWD = '/proj/project';

export function connectRawClient(served: Agent, options?: ServeOptions): RawClient {
  const [near, far] = createMemoryPair();
  return createRawClient(near, served.serve(far, options));
}

export function createRawClient(transport: Transport, served: Promise<unknown>): RawClient {
  const connection = createConnection(transport);
  const received: Received[] = [];
  const messages: unknown[] = [];
  connection.tap((direction, message) => {
    if (direction === 'in') messages.push(message);
  });
  connection.onNotification('session/update', (params) => {
    received.push(params as Received);
  });
  const client: RawClient = {
    connection,
    received,
    messages,
    served,
    request: (method, params, options) => connection.request(method, params, options),
    notify: (method, params) => void connection.notify(method, params),
    initialize: (clientCapabilities = {}, meta) =>
      connection.request('initialize', {
        protocolVersion: 1,
        clientCapabilities,
        clientInfo: { name: 'test', version: '1' },
        ...(meta && { _meta: meta }),
      }),
    newSession: (params = {}) => connection.request('session/new', { cwd: CWD, mcpServers: [], ...params }),
    prompt: (sessionId, text, meta) =>
      connection.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text }],
        ...(meta && { _meta: meta }),
      }),
    updates: (sessionId) =>
      received.filter((each) => sessionId === undefined || each.sessionId === sessionId).map(({ update }) => update),
    said: (sessionId) =>
      client
        .updates(sessionId)
        .flatMap((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? [update.content.text] : [],
        )
        .join(''),
    async [Symbol.asyncDispose]() {
      await connection.close();
      await served;
    },
  };
  return client;
}

/** An agent whose diagnostics a test can look at. */
export function testAgent(options: Partial<AgentOptions> = {}): {
  readonly built: Agent;
  readonly diagnostics: AgentDiagnostic[];
} {
  const diagnostics: AgentDiagnostic[] = [];
  const built = agent({
    name: 'test-agent',
    version: '1.0.0',
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  return { built, diagnostics };
}

/** The error that a request was answered with. */
export async function errorOf(answer: Promise<unknown>): Promise<{ code: number; message: string; data?: unknown }> {
  try {
    await answer;
  } catch (error) {
    const { code, message, data } = error as { code: number; message: string; data?: unknown };
    return { code, message, data };
  }
  throw new Error('The request succeeded.');
}

/** Resolves when everything that is under way has been delivered: a whole turn of the event loop with nothing to do. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Waits until something holds, looking again whenever the event loop has turned. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await settle();
}
