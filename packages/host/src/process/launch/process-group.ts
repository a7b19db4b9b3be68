import { spawnSync } from 'node:child_process';
import { hasLiveMember } from '../proc-files.ts';

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

/** A zombie that nobody reaps can be signalled for ever; a closer look asks for members that still run. */
export function isGroupGone(groupId: number, looksTwice: boolean): boolean {
  if (!signalGroup(groupId, 0)) return true;
  return looksTwice && hasLiveMember(groupId) === false;
}

/** Windows has no groups that can be signalled: its own tool ends a process with its children, and there is no asking. */
function signalTree(pid: number, signal: NodeJS.Signals | 0): boolean {
  process.kill(pid, 0);
  if (signal !== 0) spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { windowsHide: true, stdio: 'ignore' });
  return true;
}
