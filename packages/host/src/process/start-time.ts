import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { readProcessStat } from './proc-files.ts';

/**
 * When a process was started, as an opaque text: a process id is reused, the pair of id and start time is not.
 * Undefined if there is no such process, or if the platform does not tell.
 */
export async function readStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readLinuxStartTime(pid);
  if (process.platform === 'win32') return undefined;
  return readPsStartTime(pid);
}

async function readLinuxStartTime(pid: number): Promise<string | undefined> {
  const stat = readProcessStat(pid);
  if (stat === undefined || stat.state === 'Z') return undefined;
  bootId ??= readBootId();
  return `${bootId}/${stat.startTicks}`;
}

/** Ticks are counted from the start of the machine, so they only mean something together with its boot. */
let bootId: string | undefined;

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}

async function readPsStartTime(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C' } });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
