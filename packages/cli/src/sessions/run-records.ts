import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readStartTime } from '@parley/host/process';
import { isRecord } from '../config/check-config.ts';
import { createOnce, removeIfSame } from '../file-lock.ts';
import type { Places } from '../places.ts';
import { fileKey } from './saved-session.ts';

/** Who works on a session now: a process, told apart from later ones with the same id by when it was started. */
export interface RunRecord {
  readonly pid: number;
  /** Undefined where the system does not tell. */
  readonly startTime?: string;
  readonly sessionId: string;
  readonly agent: string;
  readonly startedAt: string;
}

/** A session that this process works on; nobody else may until it is released. */
export interface Claim {
  release(): Promise<void>;
}

export interface ClaimOptions {
  readonly places: Places;
  readonly sessionId: string;
  readonly agent: string;
  readonly signal: AbortSignal;
  /** Told once, when another process has it. */
  readonly onWait: (owner: RunRecord) => void;
}

/** How often a waiting process looks again. */
const POLL_MS = 100;

/** Makes this process the one that works on a session; waits for the one that does. */
export async function claimSession({ places, sessionId, agent, signal, onWait }: ClaimOptions): Promise<Claim> {
  for (let hasTold = false; ; hasTold = true) {
    const claim = await tryClaim(places, { sessionId, agent });
    if (claim) return claim;
    const owner = await readRun(places, sessionId);
    if (!hasTold && owner) onWait(owner);
    await sleep(POLL_MS, undefined, { signal }).catch(() => {
      throw signal.reason;
    });
  }
}

/** The same without waiting; undefined while another process works on the session. */
export async function tryClaim(
  places: Places,
  { sessionId, agent }: { readonly sessionId: string; readonly agent: string },
): Promise<Claim | undefined> {
  const path = recordPath(places, sessionId);
  const startTime = await readStartTime(process.pid);
  const startedAt = new Date().toISOString();
  const record: RunRecord = {
    pid: process.pid,
    ...(startTime !== undefined && { startTime }),
    sessionId,
    agent,
    startedAt,
  };
  await mkdir(places.runtime, { recursive: true, mode: 0o700 });
  for (;;) {
    if (await createOnce(path, JSON.stringify(record))) return { release: () => rm(path, { force: true }) };
    const owner = await readRun(places, sessionId);
    if (owner && (await isRunning(owner))) return undefined;
    await removeIfSame(path, owner && JSON.stringify(owner));
  }
}

/** The record of whoever works on a session, or did when it was killed. */
export async function readRun(places: Places, sessionId: string): Promise<RunRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(recordPath(places, sessionId), 'utf8'));
    return isRecord(value) && typeof value.pid === 'number' ? (value as unknown as RunRecord) : undefined;
  } catch {
    return undefined;
  }
}

export async function isRunning({ pid, startTime }: RunRecord): Promise<boolean> {
  const found = await readStartTime(pid);
  if (found !== undefined || startTime !== undefined) return found === startTime;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export async function removeRun(places: Places, sessionId: string): Promise<void> {
  await rm(recordPath(places, sessionId), { force: true });
}

function recordPath({ runtime }: Places, id: string): string {
  return join(runtime, `${fileKey({ id })}.run.json`);
}
