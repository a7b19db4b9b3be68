import type Database from 'libsql';

/** Events that are deleted at a time, and their bytes, so that nobody waits long for it. */
const PURGE_EVENTS = 2000;
const PURGE_BYTES = 8 * 1024 * 1024;

export interface EventPurger {
  /** Whether there is anything to delete; asks without a lock. */
  hasWork(): boolean;
  /** Deletes some events, within a transaction. */
  deleteSome(): void;
}

/** The events from one place up to another; their session is done when there are none. */
interface Unwanted {
  readonly table: 'removal' | 'trimming';
  readonly session: number;
  readonly from: bigint;
  readonly before: bigint;
}

/** Deletes the events of removed sessions, and those that were trimmed away, bit by bit. */
export function eventPurger(database: Database.Database): EventPurger {
  const nextRemoval = database.prepare('SELECT session FROM removal LIMIT 1').raw();
  const nextTrimming = database
    .prepare('SELECT session, ifnull(trimmed_to, 0) FROM trimming LEFT JOIN session ON num = session LIMIT 1')
    .raw();
  const firstEnd = database
    .prepare('SELECT end_byte FROM event WHERE place >= ?1 AND place < ?2 ORDER BY place LIMIT 1')
    .raw();
  const deleteEvents = database.prepare(
    'DELETE FROM event WHERE place IN (SELECT place FROM event WHERE place >= ?1 AND place < ?2 AND end_byte <= ?3 LIMIT ?4)',
  );
  const finish = {
    removal: database.prepare('DELETE FROM removal WHERE session = ?'),
    trimming: database.prepare('DELETE FROM trimming WHERE session = ?'),
  };

  const findNext = (): Unwanted | undefined => {
    const removed = (nextRemoval.get([]) as [number] | undefined)?.[0];
    if (removed !== undefined) {
      return { table: 'removal', session: removed, from: placeOf(removed, 0), before: placeOf(removed + 1, 0) };
    }
    const [session, trimmedTo] = (nextTrimming.get([]) as [number, number] | undefined) ?? [];
    if (session === undefined || trimmedTo === undefined) return undefined;
    return { table: 'trimming', session, from: placeOf(session, 0), before: placeOf(session, trimmedTo) };
  };
  const endOfFirst = ({ from, before }: Unwanted): number | undefined =>
    (firstEnd.get([from, before]) as [number] | undefined)?.[0];

  return {
    hasWork: () => findNext() !== undefined,
    deleteSome() {
      const unwanted = findNext();
      if (!unwanted) return;
      const { table, session, from, before } = unwanted;
      const endByte = endOfFirst(unwanted);
      if (endByte !== undefined) deleteEvents.run([from, before, endByte + PURGE_BYTES, PURGE_EVENTS]);
      if (endOfFirst(unwanted) === undefined) finish[table].run([session]);
    },
  };
}

/** Where an event stands: session and number in one. */
function placeOf(session: number, seq: number): bigint {
  return (BigInt(session) << 32n) | BigInt(seq);
}
