import { type ProcessMoment, readMoment } from '../process-starts.ts';

/**
 * Set in every spawned process: children inherit it wherever they go, so they are known even when the process itself is
 * gone, in other groups and sessions too. A process that was started by a started one has the ids of both.
 */
export const LAUNCH_ID_VARIABLE = 'PARLEY_LAUNCH_ID';

/** By what the processes of a launch are found. */
export interface LaunchMark {
  readonly id: string;
  /** Before its first process was started. */
  readonly since?: ProcessMoment | undefined;
}

/** A new launch: its mark, and the variables by which its processes are known. */
export interface Launch extends LaunchMark {
  readonly env: Readonly<Record<string, string>>;
}

export function createLaunch(): Launch {
  // Unique on this machine without node:crypto, which a short command loads for nothing else.
  const id = `${process.pid}.${process.hrtime.bigint()}`;
  const above = process.env[LAUNCH_ID_VARIABLE];
  return { id, since: readMoment(), env: { [LAUNCH_ID_VARIABLE]: above ? `${above} ${id}` : id } };
}

/** Whether our parent is the process that launched us: then it is on this machine, and not at the far end of a shell. */
export function isLaunchedByParent(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  const last = env[LAUNCH_ID_VARIABLE]?.split(' ').at(-1);
  return last?.split('.')[0] === String(process.ppid);
}
