import { formatAddress } from '@parley/client';
import { loadAgentSettings } from '@parley/client/node';
import { findProgram } from '@parley/host/programs';
import { formatTable } from '@parley/terminal';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { listAdaptedAgents } from './adapted-agents.ts';
import { KNOWN_AGENTS } from './known-agents.ts';
import { installHint, loadRegistry } from './registry.ts';
import { addressOf, OWN_AGENT, ownAgent } from './resolve-agent.ts';

/** One row of `parley agents list`. */
interface ListedAgent {
  readonly name: string;
  readonly title: string;
  readonly from: string;
  /** Whether it can be started now. */
  readonly isThere: boolean;
  readonly command?: string;
  readonly install?: string;
}

export async function listAgents(
  { all = false, json = false }: { readonly all?: boolean; readonly json?: boolean },
  context: CliContext,
): Promise<void> {
  const agents = await collectAgents(context);
  const { config } = await loadConfig(context);
  const shown = agents.filter(({ isThere, from }) => all || isThere || from === 'settings');
  if (json) {
    context.stdout.write(
      `${JSON.stringify({ schema: 1, defaultAgent: config.defaultAgent ?? OWN_AGENT, agents: all ? agents : shown })}\n`,
    );
    return;
  }
  const isDefault = (name: string): boolean => name === (config.defaultAgent ?? OWN_AGENT);
  const rows = shown.map(({ name, isThere, from, command, install }) => [
    `${isDefault(name) ? '*' : ' '} ${name}`,
    isThere ? 'ready' : 'missing',
    from,
    (isThere ? command : install) ?? '',
  ]);
  context.stdout.write(formatTable(rows));
  const missing = agents.length - shown.length;
  if (missing > 0 && context.stdout.isTTY)
    context.stderr.write(`${missing} more are known but not installed: parley agents list --all\n`);
}

/** The agents that can be started now, by name. */
export async function startableAgents(
  context: CliContext,
): Promise<readonly { readonly name: string; readonly title: string }[]> {
  const agents = await collectAgents(context);
  return agents.filter(({ isThere }) => isThere).map(({ name, title }) => ({ name, title }));
}

/** Ours, those of the settings, those on the PATH, those of other clients, command lines with a ready description, and those of the registry, in this order. */
async function collectAgents(context: CliContext): Promise<readonly ListedAgent[]> {
  const { config, places } = await loadConfig(context);
  const [registry, others] = await Promise.all([loadRegistry(places), loadAgentSettings()]);
  const found = new Map<string, ListedAgent>();
  const add = (agent: ListedAgent): void => {
    if (!found.has(agent.name)) found.set(agent.name, agent);
  };
  const configured = Object.entries(config.agents ?? {});
  if (!configured.some(([name]) => name === OWN_AGENT)) {
    add({ name: OWN_AGENT, title: ownAgent(context).title, from: 'own', isThere: true, command: 'parley agent' });
  }
  for (const [name, agent] of configured) {
    const address = addressOf(name, agent);
    const isThere = address.kind !== 'command' || findProgram(address.command, context) !== undefined;
    add({ name, title: agent.title ?? name, from: 'settings', isThere, command: formatAddress(address) });
  }
  for (const { name, title, command, args, registryId, install } of KNOWN_AGENTS) {
    const entry = registry.agents.find(({ id }) => id === registryId);
    const hint = install ?? (entry && installHint(entry));
    add({
      name,
      title,
      from: 'built in',
      isThere: findProgram(command, context) !== undefined,
      command: [command, ...args].join(' '),
      ...(hint !== undefined && { install: hint }),
    });
  }
  for (const { name, address, from } of others.agents) {
    const isThere = address.kind !== 'command' || findProgram(address.command, context) !== undefined;
    add({ name, title: name, from, isThere, command: formatAddress(address) });
  }
  for (const { name, title, command } of await listAdaptedAgents(context))
    add({ name, title, from: 'adapter', isThere: true, command });
  const ours = new Set(KNOWN_AGENTS.map(({ registryId }) => registryId));
  for (const entry of registry.agents) {
    if (ours.has(entry.id)) continue;
    const hint = installHint(entry);
    add({
      name: entry.id,
      title: entry.name,
      from: 'registry',
      isThere: false,
      ...(hint !== undefined && { install: hint }),
    });
  }
  return [...found.values()];
}
