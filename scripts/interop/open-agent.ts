import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adapterAgent, parseDescription } from '@parley/adapters';
import type { AgentSource } from '@parley/client';
import { nodeHost, spawnAgent } from '@parley/client/node';
import { createMemoryPair } from '@parley/transports/memory';
import type { InteropAgent } from './agents.ts';

export interface OpenAgentOptions {
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** The agent as a process, or its command line behind an adapter. */
export function openAgent({ adapts, args }: InteropAgent, { bin, env, cwd }: OpenAgentOptions): AgentSource {
  if (adapts === undefined) return spawnAgent(bin, args, { env, isEnvWhole: true, cwd, recordsDir: false });
  const file = fileURLToPath(new URL(`../../packages/adapters/descriptions/${adapts}.json`, import.meta.url));
  const description = parseDescription(readFileSync(file, 'utf8'), file);
  const path = [dirname(bin), join(dirname(process.execPath)), env.PATH].join(delimiter);
  return {
    name: adapts,
    host: nodeHost,
    async open() {
      const [near, far] = createMemoryPair();
      void adapterAgent(description, { env: { ...env, PATH: path }, onDiagnostic: () => {} }).serve(far);
      return { transport: near };
    },
  };
}
