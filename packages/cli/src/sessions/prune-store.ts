import type { KeptTurns } from '@parley/session/log';
import type { SessionLog, SessionRecord, SessionStore } from '@parley/store';
import { openStorePlace, requireStorePlace } from '../stores/store-place.ts';
import { trimIdle, tryAcquire } from '../stores/trim-idle.ts';
import { writeArchive } from './archive/archive.ts';
import type { ArchiveFolder } from './archive/archive-folder.ts';

export interface PruneRequest {
  /** The file or the database of `parley serve`. */
  readonly store: string;
  readonly cwd: string;
  /** Sessions that were not used since then are deleted; undefined for none. */
  readonly limitMs: number | undefined;
  /** What is kept of the others; undefined for all. */
  readonly keep: KeptTurns | undefined;
  /** Where they are written before anything of them is deleted. */
  readonly archive: ArchiveFolder | undefined;
  /** Only shows which. */
  readonly isDryRun: boolean;
}

export interface Pruned {
  readonly gone: readonly SessionRecord[];
  readonly trimmed: readonly { readonly record: SessionRecord; readonly dropped: number }[];
  /** Sessions in which somebody works. */
  readonly left: number;
}

const PAGE = 500;

/** Deletes old sessions and old turns of a server's store, whoever they belong to. Servers may work on it meanwhile. */
export async function pruneStore(request: PruneRequest): Promise<Pruned> {
  const { store: word, cwd, limitMs, keep, archive, isDryRun } = request;
  await using store = openStorePlace(requireStorePlace(word, cwd));
  const gone: SessionRecord[] = [];
  const trimmed: { record: SessionRecord; dropped: number }[] = [];
  let left = 0;
  for (const principal of await store.principals()) {
    const log = store.log(principal);
    for (const record of await listAll(store, principal)) {
      const save = archive && ((): Promise<void> => archiveRecord(log, record, archive));
      if (limitMs !== undefined && record.updatedAtMs < limitMs) {
        if (record.isHeld || !(isDryRun || (await removeIdle(log, record.id, save)))) left += 1;
        else gone.push(record);
      } else if (keep) {
        const done = await trimIdle(log, record.id, { keep, isDryRun, beforeTrim: save });
        if (!done) left += 1;
        else if (done.dropped > 0) trimmed.push({ record, dropped: done.dropped });
      }
    }
  }
  return { gone, trimmed, left };
}

/** A list tells the newest first, so that all of it has to be read before anything may be deleted from it. */
async function listAll(store: SessionStore, principal: string): Promise<SessionRecord[]> {
  const all: SessionRecord[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.log(principal).list({
      archived: 'include',
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    all.push(...page.sessions);
    if (page.nextCursor === null) return all;
    cursor = page.nextCursor;
  }
}

/** Nobody can begin a turn in it meanwhile. False when somebody was faster. */
async function removeIdle(log: SessionLog, id: string, save: (() => Promise<void>) | undefined): Promise<boolean> {
  const epoch = await tryAcquire(log, id);
  if (epoch === undefined) return false;
  try {
    await save?.();
  } catch (error) {
    await log.release(id, { epoch });
    throw error;
  }
  return log.remove(id);
}

/** As `sessions export --store` would write it. A principal of a server's store is that of an agent: `agent/principal`. */
async function archiveRecord(log: SessionLog, record: SessionRecord, archive: ArchiveFolder): Promise<void> {
  const { id, cwd, title, metadata, principal } = record;
  const head = await log.head(id);
  const facts = { agent: principal.split('/')[0] ?? principal, agentSessionId: id, cwd, title, ownMetadata: metadata };
  await archive.add({ id, head, principal }, () => writeArchive(facts, log.read(id)));
}
