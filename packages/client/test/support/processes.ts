import { existsSync, readFileSync } from 'node:fs';

/** Whether a process still runs. A zombie does not: it has ended, and only its parent has not looked yet. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return existsSync('/proc') === false;
  return !/^\d+ \(.*\) Z /s.test(readFileSync(stat, 'utf8'));
}

/** Waits until none of the processes runs; false when some still do after the time. */
export async function areGone(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
    if (!pids.some(isRunning)) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
