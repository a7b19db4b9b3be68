import type { Agent, ServeOptions } from '@parley/agent';
import { type AgentSource, type ConnectOptions, connect } from '@parley/client';
import { type SpawnAgentOptions, spawnAgent } from '@parley/client/node';
import { type Connection, createConnection, type Transport } from '@parley/jsonrpc';
import type { ClientCapabilities } from '@parley/protocol';
import { type AgentScript, buildScriptedAgent, type ScriptedAgent } from '@parley/testing/scripted-agent';
import { createMemoryPair } from '@parley/transports/memory';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type HostedAgent, type HostOptions, hostAgent } from '../../src/index.ts';

/** The scripted agent as a program, for the tests of one file. */
export function scriptedAgents(): (script: AgentScript, options?: SpawnAgentOptions) => AgentSource {
  let scripted: ScriptedAgent | undefined;
  beforeAll(async () => {
    scripted = await buildScriptedAgent();
  });
  afterAll(() => scripted?.remove());
  return (script, options) => {
    if (!scripted) throw new Error('The scripted agent is not built yet.');
    const { command, args } = scripted.command(script);
    return spawnAgent(command, args, options);
  };
}

/** An agent of ours as one that somebody else has written: made anew each time it is started. */
export function inProcess(create: () => Agent): AgentSource {
  return {
    name: 'in process',
    async open() {
      const [near, far] = createMemoryPair();
      void create().serve(far);
      return { transport: near };
    },
  };
}

/** A host that ends with its test. */
export function host(source: Parameters<typeof hostAgent>[0], options: HostOptions = {}): HostedAgent {
  const hosted = hostAgent(source, { onDiagnostic: () => {}, ...options });
  onTestFinished(() => hosted.close());
  return hosted;
}

/** A wire to a host, with what ends it abruptly. */
export function dial(hosted: Pick<HostedAgent, 'serve'>, options?: ServeOptions): Transport {
  const [near, far] = createMemoryPair();
  void hosted.serve(far, options);
  onTestFinished(() => near.close());
  return near;
}

export async function connectTo(
  hosted: Pick<HostedAgent, 'serve'>,
  options: ConnectOptions = {},
  serve?: ServeOptions,
) {
  const connection = await connect(dial(hosted, serve), options);
  onTestFinished(() => connection.close());
  return connection;
}

export const ALL_CAPABILITIES: ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
  elicitation: { form: {}, url: {} },
  plan: {},
  subagents: {},
} as ClientCapabilities;

export interface RawClient {
  readonly connection: Connection;
  readonly updates: Record<string, unknown>[];
  readonly requests: { method: string; params: Record<string, unknown> }[];
  request(method: string, params?: object): Promise<Record<string, unknown>>;
  open(params?: object): Promise<string>;
  prompt(sessionId: string, text: string, meta?: object): Promise<Record<string, unknown>>;
  said(): string;
}

/** A client that keeps every message as it came. */
export async function rawClient(
  hosted: Pick<HostedAgent, 'serve'>,
  capabilities: ClientCapabilities = ALL_CAPABILITIES,
  meta?: object,
  serve?: ServeOptions,
): Promise<RawClient & { readonly initialized: Record<string, unknown> }> {
  const connection = createConnection(dial(hosted, serve));
  const updates: Record<string, unknown>[] = [];
  const requests: RawClient['requests'] = [];
  connection.tap((direction, message) => {
    const { method, id, params } = message as { method?: string; id?: unknown; params: Record<string, unknown> };
    if (direction !== 'in' || method === undefined) return;
    if (method === 'session/update') updates.push(params.update as Record<string, unknown>);
    else if (id !== undefined) requests.push({ method, params });
  });
  const request: RawClient['request'] = (method, params) => connection.request(method, params);
  const initialized = await request('initialize', {
    protocolVersion: 1,
    clientCapabilities: capabilities,
    clientInfo: { name: 'raw', version: '1' },
    ...(meta && { _meta: meta }),
  });
  return {
    connection,
    updates,
    requests,
    initialized,
    request,
    open: async (params) =>
      String((await request('session/new', { cwd: process.cwd(), mcpServers: [], ...params })).sessionId),
    prompt: (sessionId, text, promptMeta) =>
      request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text }],
        ...(promptMeta && { _meta: promptMeta }),
      }),
    said: () =>
      updates
        .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
        .map(({ content }) => (content as { text: string }).text)
        .join(''),
  };
}

/** Waits until something holds. */
export async function until(holds: () => unknown): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
