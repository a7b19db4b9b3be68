import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { lookUpProcess } from './proc-files.ts';

/** What tells one process from every other that there was or will be, in words that can be kept and compared. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Where the id means something: this start of this machine, and this container of it. Empty where nothing tells. */
  readonly place: string;
  /** When it was started, in the clock of that place. Empty where the system does not tell. */
  readonly startTicks: string;
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, place: findPlace() ?? '', startTicks: ownStartTicks() };
}

/**
 * What is known from here of a process: nothing of one on another machine. It is only likely to run where the system
 * does not tell when the process of that number was started.
 */
export type ProcessState = 'running' | 'likely' | 'ended' | 'unknown';

/** Whether the process is still there, and still the same one. */
export function stateOfProcess({ pid, place, startTicks }: ProcessIdentity): ProcessState {
  if (place === '' || place !== findPlace()) return 'unknown';
  if (startTicks === '') return hasProcess(pid) ? 'likely' : 'ended';
  try {
    return readStartTicks(pid) === startTicks ? 'running' : 'ended';
  } catch {
    // Not being able to look, as with too many open files, does not mean that nobody is there.
    return 'unknown';
  }
}

let here: string | undefined;

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

/** Undefined if it has ended, or without `/proc`; throws when it cannot be looked up. */
function readStartTicks(pid: number): string | undefined {
  const stat = lookUpProcess(pid);
  return stat === undefined || stat.state === 'Z' || stat.state === 'X' ? undefined : stat.startTicks;
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
