import {
  type AgentAddress,
  formatAddress,
  isNetworkAddress,
  type NetworkAddress,
  parseAddress,
  readAgentAddress,
} from '@parley/client';
import { loadAgentSettings } from '@parley/client/node';
import { CliError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import { type SettingsPathFrom, settingsPath } from '@parley/host/places';
import { findProgram } from '@parley/host/programs';
import { shellLine } from '@parley/host/terminal';
import type { AgentConfig } from '../config/config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { findAdaptedAgent } from './adapted-agents.ts';
import { withSandbox } from './agent-sandbox.ts';
import { findKnownAgent, KNOWN_AGENTS, type KnownAgent } from './known-agents.ts';
import { linkAddress, readLink } from './link.ts';
import { isLocalName, LOCAL_AGENT, localAgent, withOwnToken } from './local-agent.ts';
import { OWN_AGENT } from './own-agent.ts';
import { findInRegistry, installHint, loadRegistry } from './registry.ts';
import type { ResolvedAgent } from './resolved-agent.ts';

/** The name of our own coding agent. */
export { OWN_AGENT };

/** Finds the agent that a person means: by name, by command line, or by address. Says what to do when there is none. */
export async function resolveAgent(
  name: string | undefined,
  { config, places }: Pick<LoadedConfig, 'config' | 'places'>,
  context: CliContext,
): Promise<ResolvedAgent> {
  const wanted = (name ?? config.defaultAgent ?? OWN_AGENT).trim();
  const configured = Object.hasOwn(config.agents ?? {}, wanted) ? config.agents?.[wanted] : undefined;
  if (configured) return resolveConfigured(wanted, configured, { config: places.config, env: context.env });
  if (wanted === OWN_AGENT) return ownAgent(context);
  if (isLocalName(wanted)) return localAgent(wanted, context);
  const link = readLink(wanted);
  if (link) return { name: link.url, title: link.url, origin: 'command', address: linkAddress(link) };
  const known = findKnownAgent(wanted);
  if (known && findProgram(known.command, context)) {
    const { command, args, title } = known;
    return { name: known.name, title, origin: 'built-in', address: { kind: 'command', command, args } };
  }
  const adapted = known ? undefined : await findAdaptedAgent(wanted, context);
  if (adapted) return adapted;
  if (!known && isCommandLine(wanted, context)) {
    const parsed = parseAddress(wanted);
    const address = parsed.kind === 'command' ? parsed : withOwnToken(parsed, context.env);
    return { name: wanted, title: formatAddress(address), origin: 'command', address };
  }
  const elsewhere = (await loadAgentSettings()).agents.find((agent) => agent.name === wanted);
  if (elsewhere) return { name: wanted, title: wanted, origin: 'configured', address: elsewhere.address };
  const inRegistry = findInRegistry(await loadRegistry(places), known?.registryId ?? wanted);
  if (known || inRegistry) throw notInstalled(wanted, known, inRegistry && installHint(inRegistry));
  throw new CliError('unknown_agent', `There is no agent "${wanted}".${didYouMean(wanted, listNames(config.agents))}`, {
    next: ['parley agents list', `parley --agent './my-agent --acp'   (any command works)`],
  });
}

/** Our own agent is this program with other arguments. What it may do without asking is decided here, not there as well. */
export function ownAgent({ self }: Pick<CliContext, 'self'>): ResolvedAgent {
  const args = [...self.args, 'agent', '--permission-mode', 'default'];
  const address: AgentAddress = { kind: 'command', command: self.command, args };
  return { name: OWN_AGENT, title: 'Parley', origin: 'own', address };
}

/** Our own agent, started with further flags, such as `--no-store`; any other agent as it is. */
export function withOwnFlags(agent: ResolvedAgent, flags: readonly string[]): ResolvedAgent {
  const { origin, address } = agent;
  if (origin !== 'own' || address.kind !== 'command') return agent;
  return { ...agent, address: { ...address, args: [...address.args, ...flags] } };
}

/** The address that an entry of a settings file stands for. */
export function addressOf(name: string, agent: AgentConfig): AgentAddress {
  const address = readAgentAddress(agent);
  if (typeof address !== 'string') return withPrefix(address, agent.prefix);
  throw new CliError('settings_invalid', `The agent "${name}" cannot be used: ${address}`, {
    next: [shellLine`parley agents add ${name} -- <command>`],
  });
}

function withPrefix(address: AgentAddress, [command, ...words]: readonly string[] = []): AgentAddress {
  if (command === undefined || address.kind !== 'command') return address;
  return { ...address, command, args: [...words, address.command, ...address.args] };
}

/** All names that lead to an agent. */
export function listNames(configured: Readonly<Record<string, unknown>> = {}): readonly string[] {
  return [OWN_AGENT, LOCAL_AGENT, ...Object.keys(configured), ...KNOWN_AGENTS.map(({ name }) => name)];
}

function resolveConfigured(name: string, agent: AgentConfig, from: SettingsPathFrom): ResolvedAgent {
  const address = addressOf(name, agent);
  const found = address.kind === 'command' ? address : { ...address, ...findFiles(address, from) };
  const resolved: ResolvedAgent = { name, title: agent.title ?? name, origin: 'configured', address: found };
  if (!agent.sandbox) return resolved;
  return withSandbox(resolved, agent.sandbox === true ? {} : agent.sandbox);
}

/** The files that the settings name. */
function findFiles({ tokenFile, ca }: NetworkAddress, from: SettingsPathFrom): Partial<NetworkAddress> {
  return {
    ...(tokenFile !== undefined && { tokenFile: settingsPath(tokenFile, from) }),
    ...(ca !== undefined && { ca: settingsPath(ca, from) }),
  };
}

/** More than one word, a path, an address, or a program that is there. */
function isCommandLine(text: string, context: CliContext): boolean {
  return isNetworkAddress(text) || /[\s/\\]/.test(text) || findProgram(text, context) !== undefined;
}

function notInstalled(name: string, known: KnownAgent | undefined, hint: string | undefined): CliError {
  const program = known ? ` There is no program "${known.command}" on the PATH.` : '';
  const install = known?.install ?? hint;
  return new CliError('agent_not_installed', `The agent "${name}" is known, but not installed.${program}`, {
    next: [
      ...(install === undefined ? [] : [install]),
      shellLine`parley agents add ${name}   (runs it through npx or uvx)`,
    ],
  });
}
