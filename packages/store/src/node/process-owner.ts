import { hostname } from 'node:os';
import { ownIdentity, stateOfProcess } from '@parley/host/process-identity';
import type { OwnerState, Owners } from '../backend/owners.ts';

/** A name for an owner tells which process it is, in words for people and with what tells that process from all others. */
const OWNER = /^process (\d+) on .* \[(.*) (\d*) \d+\]$/;

let names = 0;

/** A name for one owner in this process, never given twice. */
export function newOwner(): string {
  const { pid, place, startTicks } = ownIdentity();
  return `process ${pid} on ${hostname()} [${place || 'somewhere'} ${startTicks} ${++names}]`;
}

/** What is known of owners by their processes: nothing of an owner with a name of its own. */
export const processOwners: Owners = { stateOf, describe };

function stateOf(owner: string): OwnerState {
  const [, pid = '', place = '', startTicks = ''] = OWNER.exec(owner) ?? [];
  return pid === '' ? 'unknown' : stateOfProcess({ pid: Number(pid), place, startTicks });
}

function describe(owner: string): string {
  return OWNER.test(owner) ? owner.slice(0, owner.lastIndexOf(' [')) : owner;
}
