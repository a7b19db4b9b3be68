import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A name for an owner tells which process it is, in words for people and with what tells that process from all others. */
const OWNER = /^process (\d+) on .* \[(.*) (\d*) \d+\]$/;

let owners = 0;
let here: string | undefined;

/** A name for one owner in this process, never given twice. */
export function newOwner(): string {
  here ??= findPlace();
  const startTicks = readStartTicks(process.pid) ?? '';
  return `process ${process.pid} on ${hostname()} [${here} ${startTicks} ${++owners}]`;
}

/** What is known from here of an owner's process: nothing of one on another machine, or of an owner with its own name. */
export type OwnerState = 'running' | 'ended' | 'unknown';

export function stateOf(owner: string): OwnerState {
  const [, pid = '', place = '', startTicks = ''] = OWNER.exec(owner) ?? [];
  here ??= findPlace();
  if (pid === '' || place !== here) return 'unknown';
  const isThere = startTicks === '' ? isRunning(Number(pid)) : readStartTicks(Number(pid)) === startTicks;
  return isThere ? 'running' : 'ended';
}

/** Where a process id means something: this start of this machine, and this container of it. */
function findPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** When a running process was started, since a process id is used again; undefined if it has ended, or without `/proc`. */
function readStartTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, parentheses and spaces too; fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
