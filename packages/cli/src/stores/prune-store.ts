import { type SessionLog, type SessionRecord, type SessionStore, StoreError } from '@parley/store';
import { openStorePlace, requireStorePlace } from './store-place.ts';

export interface PruneRequest {
  /** The file or the database of `parley serve`. */
  readonly store: string;
  readonly cwd: string;
  /** Sessions that were not used since then. */
  readonly limitMs: number;
  /** Only shows which. */
  readonly isDryRun: boolean;
}

export interface Pruned {
  readonly gone: readonly SessionRecord[];
  /** Sessions in which somebody works. */
  readonly left: number;
}

const PAGE = 500;

/** Deletes the sessions of a server's store, whoever they belong to, that were not used for long. Servers may work on it meanwhile. */
export async function pruneStore({ store: word, cwd, limitMs, isDryRun }: PruneRequest): Promise<Pruned> {
  await using store = openStorePlace(requireStorePlace(word, cwd));
  const gone: SessionRecord[] = [];
  let left = 0;
  for (const principal of await store.principals()) {
    const log = store.log(principal);
    for (const record of await findOld(store, principal, limitMs)) {
      if (record.isHeld || !(isDryRun || (await removeIdle(log, record.id)))) left += 1;
      else gone.push(record);
    }
  }
  return { gone, left };
}

/** A list tells the newest first, so that all of it has to be read before anything may be deleted from it. */
async function findOld(store: SessionStore, principal: string, limitMs: number): Promise<SessionRecord[]> {
  const old: SessionRecord[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.log(principal).list({
      archived: 'include',
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    old.push(...page.sessions.filter(({ updatedAtMs }) => updatedAtMs < limitMs));
    if (page.nextCursor === null) return old;
    cursor = page.nextCursor;
  }
}

/** Nobody can begin a turn in it meanwhile. False when somebody was faster. */
async function removeIdle(log: SessionLog, id: string): Promise<boolean> {
  try {
    await log.acquire(id);
  } catch (error) {
    if (error instanceof StoreError && ['session_owned', 'session_not_found'].includes(error.code)) return false;
    throw error;
  }
  return log.remove(id);
}
