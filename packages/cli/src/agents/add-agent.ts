import { formatAddress, parseAddress } from '@parley/client';
import { CliError, usageError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import { shellLine } from '@parley/host/terminal';
import type { AgentConfig, Config } from '../config/config.ts';
import { changeConfigFile } from '../config/config-file.ts';
import type { CliContext } from '../context.ts';
import { readAssignments } from '../flags/read-assignments.ts';
import { findPlaces, type Places } from '../places.ts';
import { findKnownAgent } from './known-agents.ts';
import { readLink } from './link.ts';
import { findInRegistry, installHint, launchOf, loadRegistry } from './registry.ts';
import { addressOf } from './resolve-agent.ts';

export interface NewAgent {
  readonly name: string;
  /** The command, or nothing for an agent of the registry. */
  readonly words: readonly string[];
  readonly env?: readonly string[];
  readonly default?: boolean;
}

/** Writes an agent into the person's settings. */
export async function addAgent(agent: NewAgent, context: CliContext): Promise<void> {
  const { name, words } = agent;
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name))
    throw usageError(`"${name}" is no name for an agent; use letters, digits, - and _.`);
  const places = findPlaces(context.env);
  const env = readAssignments('--env', agent.env);
  const entry = words.length > 0 ? fromWords(words) : await fromRegistry(name, places);
  const merged = {
    ...entry,
    ...(Object.keys({ ...entry.env, ...env }).length > 0 && { env: { ...entry.env, ...env } }),
  };
  await change(places, (config) => ({
    ...config,
    ...(agent.default && { defaultAgent: name }),
    agents: { ...config.agents, [name]: merged },
  }));
  context.stdout.write(`${name}: ${formatAddress(addressOf(name, merged))}\n`);
  context.stderr.write(`try: ${shellLine`parley --agent ${name}`}\n`);
}

export async function removeAgent(name: string, context: CliContext): Promise<void> {
  const places = findPlaces(context.env);
  await change(places, (config) => {
    const { [name]: removed, ...agents } = config.agents ?? {};
    if (!removed) {
      throw usageError(
        `The settings have no agent "${name}".${didYouMean(name, Object.keys(agents))}`,
        'parley agents list',
      );
    }
    const { defaultAgent, ...rest } = config;
    return { ...rest, ...(defaultAgent !== undefined && defaultAgent !== name && { defaultAgent }), agents };
  });
  context.stdout.write(`removed ${name}\n`);
}

async function change(places: Places, work: (config: Config) => Config): Promise<void> {
  await changeConfigFile(places.config, (config = {}) => work(config));
}

/** One word is a whole command line or an address; several are a command and its arguments. */
function fromWords(words: readonly string[]): AgentConfig {
  const [first = '', ...rest] = words;
  if (rest.length > 0) return { command: first, args: rest };
  if (readLink(first))
    throw usageError(
      'A link has a token in it, which does not belong in settings. Keep it in a file.',
      'parley agents add <name> <the link up to #>',
      'parley config set agents.<name>.tokenFile <file>',
    );
  const address = parseAddress(first);
  return address.kind === 'command' ? { command: address.command, args: address.args } : { url: addressText(first) };
}

/** A scheme of its own for SSE and POST must be kept, and so must a query; only a bare `host:port` becomes a URL. */
function addressText(text: string): string {
  return text.includes('://') ? text.trim() : formatAddress(parseAddress(text));
}

async function fromRegistry(name: string, places: Places): Promise<AgentConfig> {
  const registry = await loadRegistry(places);
  const entry = findInRegistry(registry, findKnownAgent(name)?.registryId ?? name);
  if (!entry) {
    const known = didYouMean(
      name,
      registry.agents.map(({ id }) => id),
    );
    throw usageError(
      `The registry has no agent "${name}".${known}`,
      shellLine`parley agents add ${name} -- <command>`,
      'parley agents update',
    );
  }
  const launch = launchOf(entry);
  if (launch) return { ...launch, title: entry.name };
  const hint = installHint(entry);
  throw new CliError('not_available', `${entry.name} comes as an archive, which has to be installed by hand.`, {
    next: [...(hint === undefined ? [] : [hint]), shellLine`parley agents add ${name} -- <command>`],
  });
}
