import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { listProcesses } from './proc-files.ts';
import type { ProcessMoment } from './process-starts.ts';
import { readStartTime } from './start-time.ts';

/** A process, told apart from later ones with the same id. */
export interface KnownProcess {
  readonly pid: number;
  readonly startTime: string;
}

/**
 * The processes that descend from one that still runs, whatever group or environment they have. Once a parent has ended
 * its children cannot be told from others, so look before ending it. `since`: a moment before it was started.
 */
export async function listDescendants(rootId: number, since?: ProcessMoment): Promise<readonly KnownProcess[]> {
  const parents = listProcesses(since) ?? (await listByPs());
  const found = new Set([rootId]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const { pid, parentId } of parents) if (found.has(parentId)) found.add(pid);
  }
  found.delete(rootId);
  const known = await Promise.all(
    [...found].map(async (pid) => ({ pid, startTime: (await readStartTime(pid)) ?? '' })),
  );
  return known.filter(({ startTime }) => startTime !== '');
}

/** Those that are still there, and still the same. */
export async function stillRunning(processes: readonly KnownProcess[]): Promise<readonly number[]> {
  const running = await Promise.all(
    processes.map(async ({ pid, startTime }) => ((await readStartTime(pid)) === startTime ? [pid] : [])),
  );
  return running.flat();
}

async function listByPs(): Promise<readonly { readonly pid: number; readonly parentId: number }[]> {
  if (process.platform === 'win32') return [];
  try {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=', '-o', 'ppid=']);
    return stdout.split('\n').map((line) => {
      const [pid = 0, parentId = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, parentId };
    });
  } catch {
    return [];
  }
}
