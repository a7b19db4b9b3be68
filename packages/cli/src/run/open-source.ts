import type { AgentSource } from '@parley/client';
import { agentAt, environmentAuth, networkAgent } from '@parley/client/node';
import type { ResolvedAgent } from '../agents/resolved-agent.ts';

export interface OpenSourceOptions {
  /** Where the agent is started, unless its settings say otherwise. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Further variables for its process. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The agent as something to connect to. */
export function openSource(agent: ResolvedAgent, { cwd, env, variables }: OpenSourceOptions): AgentSource {
  const { address, origin, name, title } = agent;
  const place = address.kind === 'command' && address.cwd !== undefined ? address.cwd : cwd;
  return {
    ...(address.kind === 'command'
      ? agentAt(address, { cwd: place, env: { ...environmentAuth(env).env, ...variables } })
      : networkAgent(address, { env })),
    name: origin === 'command' ? title : name,
  };
}
