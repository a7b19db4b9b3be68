import { tmpdir } from 'node:os';
import { type AgentScript, buildScriptedAgent, type ScriptedAgent } from '@parley/testing/scripted-agent';
import { afterAll, beforeAll } from 'vitest';
import type { AgentConnection } from '../../src/connect/agent-connection.ts';
import { connect } from '../../src/connect/connect.ts';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import { type SpawnAgentOptions, spawnAgent } from '../../src/node/spawn-agent.ts';
import type { ClientSession } from '../../src/session/session.ts';
import type { AgentSource } from '../../src/source/agent-source.ts';

export const CWD: string = tmpdir();

export interface ScriptedAgents {
  /** What to spawn for a script. */
  command(script: AgentScript): { readonly command: string; readonly args: readonly string[] };
  source(script: AgentScript, options?: SpawnAgentOptions): AgentSource;
  connect(script: AgentScript, options?: ConnectOptions): Promise<AgentConnection>;
  /** A connection with one open session; closing the connection ends both. */
  open(script: AgentScript, options?: ConnectOptions): Promise<{ connection: AgentConnection; session: ClientSession }>;
}

/** Builds the scripted agent once for a test file. */
export function useScriptedAgents(): ScriptedAgents {
  let built: ScriptedAgent | undefined;
  beforeAll(async () => {
    built = await buildScriptedAgent();
  });
  afterAll(() => built?.remove());

  function commandFor(script: AgentScript): { readonly command: string; readonly args: readonly string[] } {
    if (!built) throw new Error('The scripted agent is built in beforeAll.');
    return built.command(script);
  }
  function source(script: AgentScript, options: SpawnAgentOptions = {}): AgentSource {
    const { command, args } = commandFor(script);
    return { ...spawnAgent(command, args, { recordsDir: false, ...options }), name: 'scripted' };
  }
  return {
    command: commandFor,
    source,
    connect: (script, options) => connect(source(script), options),
    async open(script, options) {
      const connection = await connect(source(script), options);
      return { connection, session: await connection.newSession({ cwd: CWD }) };
    },
  };
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('Expected a failure.');
}
