import { CliError } from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import { LOCAL_PRINCIPAL } from '@parley/store';
import { type Command, Option } from 'commander';
import { OWN_AGENT } from '../../agents/resolve-agent.ts';
import type { CliContext } from '../../context.ts';
import type { Places } from '../../places.ts';
import { requireStorePlace, showStorePlace } from '../../stores/store-place.ts';
import { SessionRecords } from './session-records.ts';

/** The flags of commands that also look into the file of a server. */
export interface StoreFlags {
  readonly agent?: string;
  readonly store?: string;
  readonly principal?: string;
}

export function addStoreFlags(
  command: Command,
  says = 'look into the file or database of `parley serve`: sessions of --agent',
): Command {
  return command.option('--store <place>', says).option('--principal <name>', 'with --store: whose; default: local');
}

/** For commands that cannot work on the store of a server: says so, and what can. */
export function refuseStore(command: Command, next: readonly string[]): Command {
  return command.addOption(new Option('--store <place>').hideHelp()).hook('preAction', () => {
    if (command.opts<{ readonly store?: string }>().store === undefined) return;
    throw new CliError('usage', `"${command.name()}" knows only the sessions of this person, and no --store.`, {
      next,
    });
  });
}

/** The command that stops the turn of a session; it is shown, so a password of the database is left out. */
export function cancelLine(sessionId: string, { store, agent, principal }: StoreFlags = {}): string {
  if (store === undefined) return shellLine`parley cancel -s ${sessionId}`;
  const whose = principal === undefined ? '' : shellLine` --principal ${principal}`;
  const place = shellLine`--store ${showStorePlace(store)} --agent ${agent ?? OWN_AGENT}`;
  return shellLine`parley cancel -s ${sessionId} ` + place + whose;
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
