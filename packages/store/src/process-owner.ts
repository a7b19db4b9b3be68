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

/**
 * Whether an owner's process is known to have ended, so that nobody needs to wait for its lease to run out. False when
 * that cannot be known from here, as of a process on another machine.
 */
export function isGone(owner: string): boolean {
  const [, pid = '', place = '', startTicks = ''] = OWNER.exec(owner) ?? [];
  here ??= findPlace();
  if (pid === '' || place !== here) return false;
  return startTicks === '' ? !isRunning(Number(pid)) : readStartTicks(Number(pid)) !== startTicks;
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
