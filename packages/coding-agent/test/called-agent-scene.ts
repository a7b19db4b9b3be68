import type { AgentConnection, ClientSession, PermissionQuestion } from '@parley/client';
import { spawnAgent } from '@parley/client/node';
import type { FakeModelServer, Reply } from '@parley/testing/fake-model-server';
import { type AgentScript, buildScriptedAgent, type ScriptedAgent, type Step } from '@parley/testing/scripted-agent';
import { afterAll, beforeAll } from 'vitest';
import type { CalledAgent, CodingAgentOptions } from '../src/index.ts';
import { type InProcessOptions, makeProject, startInProcess, startModel } from './in-process.ts';

let scripted: ScriptedAgent;

/** Builds the program of the agents that are called, once for a test file. */
export function useScriptedAgents(): void {
  beforeAll(async () => {
    scripted = await buildScriptedAgent();
  });
  afterAll(() => scripted.remove());
}

/** An agent as a process of its own that does what a script says. */
export function reviewer(script: AgentScript, options: Omit<CalledAgent, 'source'> = {}): CalledAgent {
  const { command, args } = scripted.command(script);
  return { ...options, source: (env) => spawnAgent(command, args, { env, recordsDir: false }) };
}

export const callReviewer = (input: object = {}): Reply => ({
  events: [{ type: 'tool_call', name: 'agent', input: { name: 'reviewer', prompt: 'Look at a.ts', ...input } }],
});

export interface Scene {
  readonly connection: AgentConnection;
  readonly session: ClientSession;
  readonly server: FakeModelServer;
  readonly path: string;
  readonly asked: PermissionQuestion[];
}

export interface SceneOptions extends Omit<CodingAgentOptions, 'agents'>, Pick<InProcessOptions, 'elicitation'> {
  readonly reply?: 'allow' | 'reject';
  readonly session?: { readonly meta: Record<string, unknown> };
}

export async function open(script: readonly Reply[], agent: CalledAgent, options: SceneOptions = {}): Promise<Scene> {
  const { reply = 'allow', elicitation, session: how, env: more, ...rest } = options;
  const { server, env } = await startModel({ script });
  const { path } = await makeProject({ 'a.ts': 'export {};\n', '.env': 'KEY=1\n' });
  const asked: PermissionQuestion[] = [];
  const connection = await startInProcess({
    agent: { ...rest, env: { ...env, ...more }, agents: { reviewer: agent } },
    ...(elicitation && { elicitation }),
    permissions: {
      ask: (question) => {
        asked.push(question);
        return reply;
      },
    },
  });
  const session = await connection.newSession({ cwd: path, ...how });
  return { connection, session, server, path, asked };
}

/** What the model was told of the last call. */
export function resultOf({ server }: Pick<Scene, 'server'>, request = 1): string {
  const { messages = [] } = (server.requests[request]?.body ?? {}) as {
    messages?: { role: string; content: string }[];
  };
  return (messages.findLast(({ role }) => role === 'tool')?.content ?? '').replace(/^Error: /, '');
}

export function toolsOf({ server }: Pick<Scene, 'server'>): readonly string[] {
  const { tools = [] } = (server.requests[0]?.body ?? {}) as { tools?: { function: { name: string } }[] };
  return tools.map((tool) => tool.function.name);
}

export const toolCall = (toolCallId: string, fields: object): Step => ({
  do: 'update',
  update: { sessionUpdate: 'tool_call', toolCallId, title: 'Read a.ts', kind: 'read', status: 'pending', ...fields },
});

export const onPrompt = (...steps: Step[]): AgentScript => ({ on: { 'session/prompt': steps } });

/** Everything may be called without asking. */
export const rules: Pick<SceneOptions, 'permissions'> = { permissions: { rules: ['agent__*'] } };
