import { readdir, readFile } from 'node:fs/promises';

/** What `/proc/<pid>/stat` tells of a process. */
export interface ProcessStat {
  readonly pid: number;
  readonly state: string;
  readonly groupId: number;
  /** In clock ticks since the machine was started. */
  readonly startTicks: string;
}

/** Undefined if there is no such process, or no `/proc`. */
export async function readProcessStat(pid: number): Promise<ProcessStat | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name in parentheses may hold anything, parentheses and spaces too; fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', , groupId = ''] = fields;
  return { pid, state, groupId: Number(groupId), startTicks: fields[19] ?? '' };
}

/** The processes of a group, zombies left out; undefined where there is no `/proc`. */
export async function listLiveMembers(groupId: number): Promise<readonly ProcessStat[] | undefined> {
  const names = await readdir('/proc').catch(() => undefined);
  if (!names?.includes('self')) return undefined;
  const pids = names.map(Number).filter(Number.isInteger);
  const stats = await Promise.all(pids.map(readProcessStat));
  return stats.filter((stat) => stat !== undefined).filter((stat) => stat.groupId === groupId && stat.state !== 'Z');
}

/** Whether a group has a process that still runs; undefined where there is no `/proc`. */
export async function hasLiveMember(groupId: number): Promise<boolean | undefined> {
  const members = await listLiveMembers(groupId);
  return members && members.length > 0;
}

/** The environment a process was started with, as `NAME=value` strings. */
export async function readEnvironment(pid: number): Promise<readonly string[]> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return environment.split('\0');
}
