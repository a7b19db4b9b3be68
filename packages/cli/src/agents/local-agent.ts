import { type NetworkAddress, parseAddress } from '@parley/client';
import { CliError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import type { CliContext } from '../context.ts';
import type { ResolvedAgent } from './resolved-agent.ts';

/** The name of an agent that is served on this machine: that of `PARLEY_URL`, or the newest that has announced itself. */
export const LOCAL_AGENT = 'local';

/** `local`, or `local/gemini` for another agent of the same server. */
export function isLocalName(name: string): boolean {
  return name === LOCAL_AGENT || name.startsWith(`${LOCAL_AGENT}/`);
}

export async function localAgent(name: string, { env }: Pick<CliContext, 'env'>): Promise<ResolvedAgent> {
  const named = { name, title: name, origin: 'local' } as const;
  const other = name.slice(LOCAL_AGENT.length + 1);
  const below = (address: NetworkAddress): NetworkAddress =>
    other === '' ? address : { ...address, url: urlBelow(address.url, other) };
  if (env.PARLEY_URL)
    return { ...named, address: below(withOwnToken(requireNetwork(env.PARLEY_URL, 'PARLEY_URL'), env)) };
  const { findServers } = await import('@parley/host/servers');
  const [server] = await findServers(env);
  if (!server) {
    throw new CliError('agent_not_installed', 'No agent is served on this machine, and PARLEY_URL is not set.', {
      next: ['parley serve', 'export PARLEY_URL=http://host:7700/acp'],
    });
  }
  const { token, agents = [] } = server;
  if (other !== '' && !agents.includes(other)) {
    const hosted = agents.length === 0 ? 'It hosts one agent' : `It hosts ${agents.join(', ')}`;
    throw new CliError(
      'unknown_agent',
      `The server at ${server.url} has no agent "${other}".${didYouMean(other, agents)} ${hosted}.`,
      { next: [`parley --agent ${LOCAL_AGENT}`, 'parley agents list'] },
    );
  }
  const address = below(requireNetwork(server.url, 'its file'));
  return { ...named, address: { ...address, ...(token !== undefined && { token }) } };
}

/** Where another agent of the same server is dialled. */
function urlBelow(url: string, name: string): string {
  const below = new URL(url);
  below.pathname = `${below.pathname.replace(/\/+$/, '')}/${encodeURIComponent(name)}`;
  return below.href;
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
