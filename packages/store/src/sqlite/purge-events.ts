import type Database from 'libsql';

/** Events of removed sessions that are deleted at a time, and their bytes, so that nobody waits long for it. */
const PURGE_EVENTS = 2000;
const PURGE_BYTES = 8 * 1024 * 1024;

export interface EventPurger {
  /** Whether there is anything to delete; asks without a lock. */
  hasWork(): boolean;
  /** Deletes some events, within a transaction. */
  deleteSome(): void;
}

/** Deletes the events of removed sessions, bit by bit. */
export function eventPurger(database: Database.Database): EventPurger {
  const nextRemoval = database.prepare('SELECT session FROM removal LIMIT 1').raw();
  const firstEnd = database
    .prepare('SELECT end_byte FROM event WHERE place >= ?1 << 32 AND place < (?1 + 1) << 32 ORDER BY place LIMIT 1')
    .raw();
  const deleteEvents = database.prepare(
    `DELETE FROM event WHERE place IN (
       SELECT place FROM event WHERE place >= ?1 << 32 AND place < (?1 + 1) << 32 AND end_byte <= ?2 LIMIT ?3
     )`,
  );
  const deleteRemoval = database.prepare('DELETE FROM removal WHERE session = ?');

  const findNext = (): number | undefined => (nextRemoval.get([]) as [number] | undefined)?.[0];
  const endOfFirst = (session: number): number | undefined => (firstEnd.get([session]) as [number] | undefined)?.[0];

  return {
    hasWork: () => findNext() !== undefined,
    deleteSome() {
      const session = findNext();
      if (session === undefined) return;
      const endByte = endOfFirst(session);
      if (endByte !== undefined) deleteEvents.run([session, endByte + PURGE_BYTES, PURGE_EVENTS]);
      if (endOfFirst(session) === undefined) deleteRemoval.run([session]);
    },
  };
}
