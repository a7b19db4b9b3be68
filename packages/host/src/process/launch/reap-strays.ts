import { listLaunched } from '../proc-files.ts';
import { readStartTime } from '../start-time.ts';
import { defaultRecordsDir, listRecords, type ProcessRecord } from './process-records.ts';
import { stopLaunch } from './stop-launch.ts';

export interface ReapStraysOptions {
  /** Where spawned processes are recorded. Default: `$XDG_STATE_HOME/parley/processes`. */
  readonly recordsDir?: string;
  /** How long a stray may take after SIGTERM before SIGKILL. Default: 2 s. */
  readonly termGraceMs?: number;
  /** Ends the grace: what is left is killed at once. */
  readonly signal?: AbortSignal;
  /** Tells when a process was started. Default: asks the system. */
  readonly readStartTime?: (pid: number) => Promise<string | undefined>;
}

/**
 * Ends the processes whose parent is gone, with their children; call it at the start of a program that spawns. A process
 * is only touched if it is certainly the recorded one, by id and start time, or if it carries the launch id.
 */
export async function reapStrays(options: ReapStraysOptions = {}): Promise<readonly ProcessRecord[]> {
  const { recordsDir = defaultRecordsDir(), termGraceMs = 2000, signal } = options;
  const { readStartTime: startTimeOf = readStartTime } = options;
  const records = await listRecords(recordsDir);
  const reaped = await Promise.all(
    records.map(async ({ record, remove }) => {
      if ((await startTimeOf(record.owner.pid)) === record.owner.startTime) return [];
      const { pid, launchId } = record;
      const isThere = (await startTimeOf(pid)) === record.startTime;
      const isStray = isThere || listLaunched({ id: launchId }).length > 0;
      if (isStray)
        await stopLaunch({ groupId: isThere ? pid : undefined, launch: { id: launchId }, termGraceMs, signal });
      await remove();
      return isStray ? [record] : [];
    }),
  );
  return reaped.flat();
}
