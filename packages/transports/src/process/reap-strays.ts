import { LAUNCH_ID_VARIABLE } from './launch-id.ts';
import { listLiveMembers, readEnvironment } from './proc-files.ts';
import { stopGroup } from './process-group.ts';
import { defaultRecordsDir, listRecords, type ProcessRecord } from './process-records.ts';
import { readStartTime } from './start-time.ts';

export interface ReapStraysOptions {
  /** Where spawned processes are recorded. Default: `$XDG_STATE_HOME/parley/processes`. */
  readonly recordsDir?: string;
  /** How long a stray may take after SIGTERM before SIGKILL. Default: 2 s. */
  readonly termGraceMs?: number;
  /** Tells when a process was started. Default: asks the system. */
  readonly readStartTime?: (pid: number) => Promise<string | undefined>;
}

/**
 * Ends the processes whose parent is gone, with their children; call it at the start of a program that spawns. A process
 * is only touched if it is certainly the recorded one: same id and start time, or children that carry its launch id.
 */
export async function reapStrays(options: ReapStraysOptions = {}): Promise<readonly ProcessRecord[]> {
  const { recordsDir = defaultRecordsDir(), termGraceMs = 2000, readStartTime: startTimeOf = readStartTime } = options;
  const records = await listRecords(recordsDir);
  const reaped = await Promise.all(
    records.map(async ({ record, remove }) => {
      if ((await startTimeOf(record.owner.pid)) === record.owner.startTime) return [];
      const isStray = await isSameGroup(record, await startTimeOf(record.pid));
      if (isStray) await stopGroup(record.pid, termGraceMs);
      await remove();
      return isStray ? [record] : [];
    }),
  );
  return reaped.flat();
}

async function isSameGroup(record: ProcessRecord, startTime: string | undefined): Promise<boolean> {
  if (startTime !== undefined) return startTime === record.startTime;
  const members = (await listLiveMembers(record.pid)) ?? [];
  const marker = `${LAUNCH_ID_VARIABLE}=${record.launchId}`;
  const environments = await Promise.all(members.map(({ pid }) => readEnvironment(pid)));
  return environments.some((environment) => environment.includes(marker));
}
