import { readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CliError } from '@parley/host/command-line';
import { makeFolder } from '@parley/host/places';
import { runWithin } from '@parley/host/time';
import type { CliContext } from '../context.ts';
import { findPlaces } from '../places.ts';
import { parseRegistry, REGISTRY_URL, registryFile } from './registry.ts';

/** How long the registry may take. */
const FETCH_TIMEOUT_MS = 30_000;

/** Replaces the registry that comes with this program by a newer one. Nothing is installed. */
export async function updateRegistry(
  { from = REGISTRY_URL }: { readonly from?: string },
  context: CliContext,
): Promise<void> {
  const isAddress = /^https?:\/\//i.test(from);
  const text = isAddress
    ? await fetchText(from)
    : await readFile(resolve(context.cwd, from), 'utf8').catch(unreachable(from));
  const { agents } = parseRegistry(text);
  const path = registryFile(findPlaces(context.env));
  await makeFolder(dirname(path));
  await writeFile(path, text, { mode: 0o600 });
  context.stdout.write(`${agents.length} agents in the registry\n`);
}

async function fetchText(url: string): Promise<string> {
  const { isOk, status, text } = await runWithin(FETCH_TIMEOUT_MS, async (signal) => {
    const response = await fetch(url, { signal });
    return { isOk: response.ok, status: response.status, text: await response.text() };
  }).catch(unreachable(url));
  if (!isOk) throw new CliError('not_available', `${url} answered with ${status}.`);
  return text;
}

function unreachable(from: string): (cause: Error) => never {
  return (cause) => {
    throw new CliError('not_available', `${from} could not be read: ${cause.message}`, {
      cause,
      next: ['parley agents update --from <file>'],
    });
  };
}
