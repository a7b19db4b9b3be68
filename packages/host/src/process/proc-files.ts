import { readdirSync, readFileSync } from 'node:fs';
import { LAUNCH_ID_VARIABLE, type LaunchMark } from './launch/launch-id.ts';
import { type ProcessMoment, pickStartedSince } from './process-starts.ts';

/** What `/proc/<pid>/stat` tells of a process. */
export interface ProcessStat {
  readonly pid: number;
  readonly state: string;
  readonly parentId: number;
  readonly groupId: number;
  /** In clock ticks since the machine was started. */
  readonly startTicks: string;
}

/** Undefined if there is no such process, or no `/proc`, or if it cannot be looked up. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(pid, stat);
}

/** Undefined if there is no such process, or no `/proc`; throws when it cannot be looked up, as with too many open files. */
export function lookUpProcess(pid: number): ProcessStat | undefined {
  try {
    return parseStat(pid, readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

function parseStat(pid: number, stat: string): ProcessStat {
  // The name in parentheses may hold anything, parentheses and spaces too; fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parentId = '', groupId = ''] = fields;
  return { pid, state, parentId: Number(parentId), groupId: Number(groupId), startTicks: fields[19] ?? '' };
}

/** Every process that runs and was started since a moment, zombies left out; undefined where there is no `/proc`. */
export function listProcesses(since?: ProcessMoment): readonly ProcessStat[] | undefined {
  return listIds(since)
    ?.map(readProcessStat)
    .filter((stat) => stat !== undefined)
    .filter(({ state }) => state !== 'Z');
}

/** Whether a group has a process that still runs; undefined where there is no `/proc`. */
export function hasLiveMember(groupId: number): boolean | undefined {
  return listProcesses()?.some((stat) => stat.groupId === groupId);
}

/** The processes of a launch, ourselves left out: those that have its id in the environment they were started with. */
export function listLaunched({ id, since }: LaunchMark): readonly number[] {
  return (listIds(since) ?? []).filter((pid) => {
    if (pid === process.pid) return false;
    const environment = read(`/proc/${pid}/environ`) ?? '';
    if (!environment.includes(id)) return false;
    const entry = environment.split('\0').find((each) => each.startsWith(`${LAUNCH_ID_VARIABLE}=`));
    return (
      entry
        ?.slice(LAUNCH_ID_VARIABLE.length + 1)
        .split(' ')
        .includes(id) === true
    );
  });
}

function listIds(since?: ProcessMoment): readonly number[] | undefined {
  try {
    const names = readdirSync('/proc');
    return names.includes('self') ? pickStartedSince(since, names.map(Number).filter(Number.isInteger)) : undefined;
  } catch {
    return undefined;
  }
}

/** At once rather than in the background: these files are memory, and of many, each takes longer to hand over than to read. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
