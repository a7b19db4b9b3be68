import type { Meta } from '@parley/agent';
import type { Environment } from '@parley/models/discovery';

// An agent that calls agents may be called by one. Each tells the next how many there are: by its environment, which also passes
// through agents that know nothing of this, and by `_meta` of what opens a session, which also reaches agents on the network.
const VARIABLE = 'PARLEY_AGENT_DEPTH';
const KEY = 'parley/agentDepth';

/** How many agents may have called each other before the last one has nobody to call. */
const MAX_DEPTH = 3;

/** How many agents have called each other to get to a session; 0 where a person opened it. */
export function readDepth(env: Environment, meta: Meta | undefined): number {
  const told = [Number(env[VARIABLE] ?? 0), Number(meta?.[KEY] ?? 0)];
  return Math.max(0, ...told.filter(Number.isFinite));
}

export function mayCallAgents(depth: number): boolean {
  return depth < MAX_DEPTH;
}

/** What an agent is told that is called from a session of this depth. */
export function nextDepth(depth: number): {
  readonly env: Readonly<Record<string, string>>;
  readonly meta: Readonly<Record<string, unknown>>;
} {
  return { env: { [VARIABLE]: String(depth + 1) }, meta: { [KEY]: depth + 1 } };
}
