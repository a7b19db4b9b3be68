import { type KeptTurns, type TrimmedTurns, trimTurns } from '@parley/session/log';
import { type SessionLog, StoreError } from '@parley/store';

export interface TrimIdleOptions {
  readonly keep: KeptTurns;
  readonly isDryRun: boolean;
  /** Called when nobody can work in the session any more and something is about to go; what it throws leaves everything as it is. */
  readonly beforeTrim?: (() => Promise<void>) | undefined;
}

/** Drops the oldest turns of a session in which nobody works. Undefined while somebody does, or when it is gone. */
export async function trimIdle(
  log: SessionLog,
  id: string,
  options: TrimIdleOptions,
): Promise<TrimmedTurns | undefined> {
  const { keep, isDryRun, beforeTrim } = options;
  const planned = await trimTurns({ log, sessionId: id, keep, isDryRun: true });
  if (isDryRun || planned.dropped === 0) return planned;
  const epoch = await tryAcquire(log, id);
  if (epoch === undefined) return undefined;
  try {
    return await trimTurns({ log, sessionId: id, keep, epoch, ...(beforeTrim && { beforeTrim }) });
  } finally {
    await log.release(id, { epoch });
  }
}

/** From now on nobody else can begin a turn in it. Undefined when somebody works there, or it is gone. */
export async function tryAcquire(log: SessionLog, id: string): Promise<number | undefined> {
  try {
    return (await log.acquire(id)).epoch;
  } catch (error) {
    if (error instanceof StoreError && ['session_owned', 'session_not_found'].includes(error.code)) return undefined;
    throw error;
  }
}
