import { type KnownProcess, stillRunning } from '../descendants.ts';
import { listLaunched } from '../proc-files.ts';
import type { LaunchMark } from './launch-id.ts';
import { isGroupGone, signalGroup } from './process-group.ts';

export interface StopLaunchOptions {
  /** The group of the process that was started; undefined when it may belong to somebody else by now. */
  readonly groupId: number | undefined;
  readonly launch: LaunchMark;
  /** How long everything may take after SIGTERM before SIGKILL. */
  readonly termGraceMs: number;
  /** Processes that are known to belong to it besides. */
  readonly family?: readonly KnownProcess[];
  /** Ends the grace. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks everything that came of a launch to end, and makes it end if that takes too long: its group, and those that have
 * left the group. Resolves when nothing of it is left.
 */
export async function stopLaunch(options: StopLaunchOptions): Promise<void> {
  const { termGraceMs, signal } = options;
  if (!(await send(options, 'SIGTERM'))) return;
  if (await isGoneWithin(options, termGraceMs, signal)) return;
  // Again and again: a process may start another one between our look and its end.
  for (const deadline = performance.now() + KILL_CONFIRM_MS; performance.now() < deadline; ) {
    if (!(await send(options, 'SIGKILL')) || (await isGoneWithin(options, LAST_POLL_MS))) return;
  }
}

/** The kernel ends a killed process at once, unless it hangs in a system call. */
const KILL_CONFIRM_MS = 2000;
const FIRST_POLL_MS = 5;
const LAST_POLL_MS = 100;

/** False when there is nobody to send it to. */
async function send(options: StopLaunchOptions, signal: NodeJS.Signals): Promise<boolean> {
  const { groupId } = options;
  const hasGroup = groupId !== undefined && signalGroup(groupId, signal) && !isGroupGone(groupId, signal === 'SIGKILL');
  const strays = await listStrays(options);
  for (const pid of strays) signalProcess(pid, signal);
  return hasGroup || strays.length > 0;
}

async function listStrays({ launch, family = [] }: StopLaunchOptions): Promise<readonly number[]> {
  return [...new Set([...listLaunched(launch), ...(await stillRunning(family))])];
}

async function isGoneWithin(options: StopLaunchOptions, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
  const { groupId } = options;
  const deadline = performance.now() + timeoutMs;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, LAST_POLL_MS)) {
    const isGone = groupId === undefined || isGroupGone(groupId, pollMs === LAST_POLL_MS);
    if (isGone && (await listStrays(options)).length === 0) return true;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0 || signal?.aborted) return false;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, Math.min(pollMs, leftMs));
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended since we looked.
  }
}
