import { type NetworkAddress, parseAddress } from '@parley/client';
import type { CliContext } from '../context.ts';
import { CliError } from '../errors.ts';
import type { ResolvedAgent } from './resolved-agent.ts';

/** The name of an agent that is served on this machine: that of `PARLEY_URL`, or the newest that has announced itself. */
export const LOCAL_AGENT = 'local';

export async function localAgent({ env }: Pick<CliContext, 'env'>): Promise<ResolvedAgent> {
  const named = { name: LOCAL_AGENT, title: LOCAL_AGENT, origin: 'local' } as const;
  if (env.PARLEY_URL) return { ...named, address: withOwnToken(requireNetwork(env.PARLEY_URL, 'PARLEY_URL'), env) };
  const { findServers } = await import('@parley/host/servers');
  const [server] = await findServers(env);
  if (!server) {
    throw new CliError('agent_not_installed', 'No agent is served on this machine, and PARLEY_URL is not set.', {
      next: ['parley agent --listen', 'export PARLEY_URL=http://host:7700/acp'],
    });
  }
  const { token } = server;
  return { ...named, address: { ...requireNetwork(server.url, 'its file'), ...(token !== undefined && { token }) } };
}

/**
 * An address with the token of `PARLEY_TOKEN`. Where `PARLEY_URL` says whose token that is, nobody else gets it.
 */
export function withOwnToken(address: NetworkAddress, env: CliContext['env']): NetworkAddress {
  if (!env.PARLEY_TOKEN) return address;
  if (env.PARLEY_URL && placeOf(requireNetwork(env.PARLEY_URL, 'PARLEY_URL').url) !== placeOf(address.url))
    return address;
  return { ...address, tokenEnv: 'PARLEY_TOKEN' };
}

/** The server itself, however it is spoken to. */
function placeOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${/^(wss|https):$/.test(protocol) ? 'secure' : 'plain'} ${host}`;
}

function requireNetwork(text: string, from: string): NetworkAddress {
  const address = parseAddress(text);
  if (address.kind !== 'command') return address;
  throw new CliError('settings_invalid', `${from} has no address of an agent, such as http://127.0.0.1:7700/acp.`);
}
