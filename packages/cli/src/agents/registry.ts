import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '@parley/host/command-line';
import { isRecord } from '../config/check-config.ts';
import type { Places } from '../places.ts';
import type { PackageDistribution, Registry, RegistryAgent } from './registry-format.ts';

export const REGISTRY_URL = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';

/** Largest registry that is read. */
const MAX_REGISTRY_BYTES = 8 * 1024 * 1024;

export const registryFile = ({ state }: Places): string => join(state, 'registry.json');

/** The registry that `parley agents update` fetched, and what comes with this program and is not in it. */
export async function loadRegistry(places: Places): Promise<Registry> {
  const { REGISTRY_SNAPSHOT } = await import('./registry-snapshot.ts');
  try {
    const path = registryFile(places);
    if ((await stat(path)).size > MAX_REGISTRY_BYTES) return REGISTRY_SNAPSHOT;
    const fetched = parseRegistry(await readFile(path, 'utf8'));
    const others = REGISTRY_SNAPSHOT.agents.filter(({ id }) => !fetched.agents.some((agent) => agent.id === id));
    return { ...fetched, agents: [...fetched.agents, ...others] };
  } catch {
    return REGISTRY_SNAPSHOT;
  }
}

/** Reads a registry leniently: entries that cannot be used are left out, fields that we do not know are ignored. */
export function parseRegistry(text: string): Registry {
  let value: unknown;
  try {
    value = JSON.parse(text.slice(0, MAX_REGISTRY_BYTES));
  } catch (cause) {
    throw new CliError('settings_invalid', 'This is no registry: it is not JSON.', { cause });
  }
  if (!isRecord(value) || !Array.isArray(value.agents)) {
    throw new CliError('settings_invalid', 'This is no registry: it has no list "agents".');
  }
  return {
    version: typeof value.version === 'string' ? value.version : '',
    agents: value.agents.filter(isRegistryAgent),
  };
}

/** How to run a registry's agent without installing it by hand; undefined when it is only there as an archive. */
export function launchOf({
  distribution,
}: RegistryAgent): { command: string; args: string[]; env: Record<string, string> } | undefined {
  const { npx, uvx } = distribution;
  if (npx) {
    const program = npx.cmd === undefined ? ['-y', npx.package] : ['-y', '--package', npx.package, npx.cmd];
    return { command: 'npx', args: [...program, ...(npx.args ?? [])], env: { ...npx.env } };
  }
  if (!uvx) return undefined;
  const program = uvx.cmd === undefined ? [uvx.package] : ['--from', uvx.package, uvx.cmd];
  return { command: 'uvx', args: [...program, ...(uvx.args ?? [])], env: { ...uvx.env } };
}

/** What a person types to get it. */
export function installHint({ distribution, repository, website }: RegistryAgent): string | undefined {
  if (distribution.npx) return `npm install -g ${distribution.npx.package}`;
  if (distribution.uvx) return `uv tool install ${distribution.uvx.package}`;
  return website ?? repository;
}

/** By id, then by what its package is called, then with `-acp` added, then by a beginning that only one has. */
export function findInRegistry(registry: Registry, name: string): RegistryAgent | undefined {
  const wanted = name.trim().toLowerCase();
  const { agents } = registry;
  const beginning = agents.filter(({ id }) => id.startsWith(wanted));
  return (
    agents.find(({ id }) => id === wanted) ??
    agents.find((agent) => packageName(agent) === wanted) ??
    agents.find(({ id }) => id === `${wanted}-acp`) ??
    (wanted.length >= 3 && beginning.length === 1 ? beginning[0] : undefined)
  );
}

function packageName({ distribution: { npx, uvx } }: RegistryAgent): string | undefined {
  return (npx ?? uvx)?.package
    .replace(/(?<=.)@[^/]*$/, '')
    .split('/')
    .at(-1);
}

function isRegistryAgent(value: unknown): value is RegistryAgent {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.name !== 'string') return false;
  if (!/^[a-z][a-z0-9-]*$/.test(value.id) || !isRecord(value.distribution)) return false;
  const { npx, uvx } = value.distribution;
  return [npx, uvx].every((each) => each === undefined || isPackage(each));
}

/** A package name becomes an argument of `npx`: nothing that begins with a dash may pass for one. */
function isPackage(value: unknown): value is PackageDistribution {
  if (!isRecord(value) || typeof value.package !== 'string' || !/^[@a-zA-Z0-9]/.test(value.package)) return false;
  const { args = [], env = {}, cmd = '' } = value;
  return (
    Array.isArray(args) &&
    args.every((each) => typeof each === 'string') &&
    isRecord(env) &&
    Object.values(env).every((each) => typeof each === 'string') &&
    typeof cmd === 'string' &&
    !cmd.startsWith('-')
  );
}
