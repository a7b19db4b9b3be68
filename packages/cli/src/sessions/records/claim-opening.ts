import { setTimeout as sleep } from 'node:timers/promises';
import { reserveLog, SharedLog } from '@parley/session/log';
import type { SavedSession } from './saved-session.ts';
import type { SessionRecords } from './session-records.ts';
import { readWorker, type Worker } from './worker.ts';

export interface ClaimOptions {
  readonly signal?: AbortSignal;
  /** Called once, when another process opens the session. */
  readonly onWait?: (worker: Worker | undefined) => void;
}

/** A session that this process alone opens, as the record has it now. */
export interface Claim extends AsyncDisposable {
  /** Undefined when the session was removed meanwhile. */
  readonly session: SavedSession | undefined;
}

/** How often a waiting process looks again. */
const POLL_MS = 100;
/** How long others wait for a process that was lost and cannot be asked. */
const LEASE_MS = 15_000;

/** Lets one process at a time open a session at its agent for the first time. A session that has a log needs no claim. */
export async function claimOpening(
  records: SessionRecords,
  saved: SavedSession,
  { signal, onWait }: ClaimOptions = {},
): Promise<Claim> {
  for (let isFirst = true; ; isFirst = false) {
    const session = saved.isRecorded ? await records.get(saved.id) : saved;
    if (!session?.isRecorded || session.logId !== undefined) return { session, ...NOTHING_HELD };
    const held = await tryReserve(records, session);
    if (held) return { session: await records.get(saved.id), [Symbol.asyncDispose]: () => held[Symbol.asyncDispose]() };
    if (isFirst) onWait?.(readWorker((await records.recordOf(session)).record));
    await sleep(POLL_MS, undefined, signal && { signal }).catch(() => {
      throw signal?.reason;
    });
  }
}

const NOTHING_HELD: AsyncDisposable = { async [Symbol.asyncDispose]() {} };

/** Reserves the record; undefined while another process does. */
async function tryReserve(records: SessionRecords, session: SavedSession): Promise<AsyncDisposable | undefined> {
  const ignore = (): void => {};
  const shared = new SharedLog({
    ...(await records.recordOf(session)),
    leaseMs: LEASE_MS,
    onEntry: ignore,
    onInput: ignore,
    onOwned: ignore,
    onInterruption: ignore,
    onLost: ignore,
    onFault: ignore,
  });
  return reserveLog(shared);
}
