import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { LOCAL_PRINCIPAL } from '@parley/store';
import type { Command } from 'commander';
import { OWN_AGENT } from '../agents/resolve-agent.ts';
import type { CliContext } from '../context.ts';
import { CliError } from '../errors.ts';
import type { Places } from '../places.ts';
import { SessionRecords } from './session-records.ts';

/** The flags of commands that only look, also into the file of a server. */
export interface StoreFlags {
  readonly agent?: string;
  readonly store?: string;
  readonly principal?: string;
}

export function addStoreFlags(command: Command): Command {
  return command
    .option('--store <file>', 'look into the file of `parley serve`: sessions of --agent there')
    .option('--principal <name>', 'with --store: whose; default: local');
}

/** The sessions of this person, or with `--store` those of a server: of one agent and one principal, as it keeps them apart. */
export function openRecords(
  { store, agent = OWN_AGENT, principal = LOCAL_PRINCIPAL }: StoreFlags,
  places: Places,
  { cwd }: CliContext,
): SessionRecords {
  if (store === undefined) return new SessionRecords(places);
  const path = resolve(cwd, store);
  // Opening it would make it.
  if (!existsSync(path))
    throw new CliError('no_session', `There is no file ${path}.`, {
      next: ['parley serve --json   (names its store)'],
    });
  return new SessionRecords(places, { path, agent, owner: `${agent}/${principal}` });
}
