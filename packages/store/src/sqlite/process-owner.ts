import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { OwnerState, Owners } from '../owners.ts';

/** A name for an owner tells which process it is, in words for people and with what tells that process from all others. */
const OWNER = /^process (\d+) on .* \[(.*) (\d*) \d+\]$/;

let owners = 0;
let here: string | undefined;

/** A name for one owner in this process, never given twice. */
export function newOwner(): string {
  const place = findPlace() ?? 'somewhere';
  return `process ${process.pid} on ${hostname()} [${place} ${ownStartTicks()} ${++owners}]`;
}

/** What is known of owners by their processes. */
export const processOwners: Owners = { stateOf, describe };

function describe(owner: string): string {
  return OWNER.test(owner) ? owner.slice(0, owner.lastIndexOf(' [')) : owner;
}

/**
 * What is known from here of an owner's process: nothing of one on another machine, or of an owner with its own name. It
 * is only likely to run where the system does not tell when the process of that number was started.
 */
function stateOf(owner: string): OwnerState {
  const [, pid = '', place = '', startTicks = ''] = OWNER.exec(owner) ?? [];
  if (pid === '' || place !== findPlace()) return 'unknown';
  if (startTicks === '') return isRunning(Number(pid)) ? 'likely' : 'ended';
  try {
    return readStartTicks(Number(pid)) === startTicks ? 'running' : 'ended';
  } catch {
    // Not being able to look, as with too many open files, does not mean that nobody is there.
    return 'unknown';
  }
}

/** Where a process id means something: this start of this machine, and this container of it. */
function findPlace(): string | undefined {
  if (process.platform !== 'linux') return hostname();
  try {
    here ??= `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
    return here;
  } catch {
    return undefined;
  }
}

function ownStartTicks(): string {
  try {
    return readStartTicks(process.pid) ?? '';
  } catch {
    return '';
  }
}

/** When a running process was started, since a process id is used again; undefined if it has ended, or without `/proc`. */
function readStartTicks(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return undefined;
    throw error;
  }
  // The name in parentheses may hold anything, parentheses and spaces too; fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
