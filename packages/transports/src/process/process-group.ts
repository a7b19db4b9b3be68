import { spawnSync } from 'node:child_process';
import { hasLiveMember } from './proc-files.ts';

/** Sends a signal to every process of a group; false if there is none. */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    if (process.platform === 'win32') return signalTree(groupId, signal);
    process.kill(-groupId, signal);
    return true;
  } catch {
    return false;
  }
}

/** Asks a group to end, and makes it end if that takes too long. Resolves when no process of it is left. */
export async function stopGroup(groupId: number, termGraceMs: number): Promise<void> {
  if (!signalGroup(groupId, 'SIGTERM')) return;
  if (await isGoneWithin(groupId, termGraceMs)) return;
  signalGroup(groupId, 'SIGKILL');
  await isGoneWithin(groupId, KILL_CONFIRM_MS);
}

/** The kernel ends a killed process at once, unless it hangs in a system call. */
const KILL_CONFIRM_MS = 2000;
const FIRST_POLL_MS = 5;
const LAST_POLL_MS = 100;

async function isGoneWithin(groupId: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, LAST_POLL_MS)) {
    if (await isGone(groupId, pollMs === LAST_POLL_MS)) return true;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pollMs, leftMs)));
  }
}

/** A zombie that nobody reaps can be signalled for ever, so the second look asks for members that still run. */
async function isGone(groupId: number, looksTwice: boolean): Promise<boolean> {
  if (!signalGroup(groupId, 0)) return true;
  return looksTwice && (await hasLiveMember(groupId)) === false;
}

/** Windows has no groups that can be signalled: its own tool ends a process with its children, and there is no asking. */
function signalTree(pid: number, signal: NodeJS.Signals | 0): boolean {
  process.kill(pid, 0);
  if (signal !== 0) spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { windowsHide: true, stdio: 'ignore' });
  return true;
}
