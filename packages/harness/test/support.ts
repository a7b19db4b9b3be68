import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSource } from '@parley/client';
import { spawnAgent } from '@parley/client/node';
import { type AgentScript, buildScriptedAgent, type ScriptedAgent } from '@parley/testing/scripted-agent';
import { afterAll, beforeAll } from 'vitest';

export interface TestAgents {
  /** A folder that is gone after the tests. */
  readonly folder: string;
  /** An agent that follows a script, started where it is to work. */
  scripted(script: AgentScript): (cwd: string) => AgentSource;
}

/** Builds the scripted agent once for a file of tests. */
export function useAgents(): TestAgents {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-harness-')));
  let agents: ScriptedAgent | undefined;
  beforeAll(async () => {
    agents = await buildScriptedAgent();
  });
  afterAll(async () => {
    await agents?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    scripted: (script) => (cwd) => {
      if (!agents) throw new Error('The scripted agent is built in beforeAll.');
      const { command, args } = agents.command(script);
      return spawnAgent(command, args, { cwd });
    },
  };
}

export async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const found: Value[] = [];
  for await (const value of values) found.push(value);
  return found;
}
