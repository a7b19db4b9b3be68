import type { AgentSource, CommandAddress } from '@parley/client';
import { environmentAuth, networkAgent, type SpawnAgentOptions, spawnAgent } from '@parley/client/node';
import { splitSecrets } from '@parley/host/secrets';
import type { ResolvedAgent } from './resolved-agent.ts';

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
  const named = { name: origin === 'command' ? title : name };
  if (address.kind !== 'command') return { ...networkAgent(address, { env }), ...named };
  const whole = { ...env, ...address.env, ...environmentAuth(env).env, ...variables };
  const options = { cwd: address.cwd ?? cwd, isEnvWhole: true, ...environmentOf(origin, whole) };
  const source = spawnAgent(address.command, address.args, options);
  return { ...source, ...named, ...(agent.sandbox && { open: openConfined(agent, address, options) }) };
}

/** Other agents expect their keys in the environment; our own reads them from a pipe, where commands cannot see them. */
function environmentOf(
  origin: ResolvedAgent['origin'],
  env: OpenSourceOptions['env'],
): Pick<SpawnAgentOptions, 'env' | 'secrets'> {
  if (origin !== 'own') return { env };
  const { plain, secrets } = splitSecrets(env);
  return { env: plain, secrets };
}

function openConfined(
  agent: ResolvedAgent,
  address: CommandAddress,
  options: SpawnAgentOptions & { readonly cwd: string },
): AgentSource['open'] {
  return async (signal, report) => {
    const { confineAgent } = await import('./confine-agent.ts');
    const { env = {}, cwd } = options;
    const { command, args, ...received } = await confineAgent(agent, address, { cwd, env, report });
    return spawnAgent(command, args, { ...options, ...received }).open(signal);
  };
}
