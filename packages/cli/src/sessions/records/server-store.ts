import { LOCAL_PRINCIPAL } from '@parley/store';
import type { Command } from 'commander';
import { OWN_AGENT } from '../../agents/resolve-agent.ts';
import type { CliContext } from '../../context.ts';
import type { Places } from '../../places.ts';
import { requireStorePlace } from '../../stores/store-place.ts';
import { SessionRecords } from './session-records.ts';

/** The flags of commands that only look, also into the file of a server. */
export interface StoreFlags {
  readonly agent?: string;
  readonly store?: string;
  readonly principal?: string;
}

export function addStoreFlags(command: Command): Command {
  return command
    .option('--store <place>', 'look into the file or database of `parley serve`: sessions of --agent')
    .option('--principal <name>', 'with --store: whose; default: local');
}

/** The sessions of this person, or with `--store` those of a server: of one agent and one principal, as it keeps them apart. */
export function openRecords(
  { store, agent = OWN_AGENT, principal = LOCAL_PRINCIPAL }: StoreFlags,
  places: Places,
  { cwd }: CliContext,
): SessionRecords {
  if (store === undefined) return new SessionRecords(places);
  return new SessionRecords(places, { place: requireStorePlace(store, cwd), agent, owner: `${agent}/${principal}` });
}
