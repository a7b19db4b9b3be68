import type { HarnessFacts } from '../formats/attempt.ts';
import { VERSION } from '../version.ts';
import type { RunOptions } from './run-options.ts';

/** What wrote a result. */
export const HARNESS_FACTS: HarnessFacts = { name: '@parley/harness', version: VERSION };

/** What results call the agent. */
export function agentNameOf({
  agentName,
  agent,
  cwd = process.cwd(),
}: Pick<RunOptions, 'agentName' | 'agent' | 'cwd'>): string {
  return agentName ?? (typeof agent === 'function' ? agent(cwd) : agent).name;
}
