import type Database from 'libsql';

/** Events of removed sessions that are deleted at a time, and their bytes, so that nobody waits long for it. */
const PURGE_EVENTS = 2000;
const PURGE_BYTES = 8 * 1024 * 1024;

/** Makes what deletes some events of removed sessions, within a transaction; it returns false when there are none left. */
export function eventPurger(database: Database.Database): () => boolean {
  const nextRemoval = database.prepare('SELECT session FROM removal LIMIT 1').raw();
  const firstEnd = database
    .prepare('SELECT end_byte FROM event WHERE place >= ?1 << 32 AND place < (?1 + 1) << 32 ORDER BY place LIMIT 1')
    .raw();
  const deleteSome = database.prepare(
    `DELETE FROM event WHERE place IN (
       SELECT place FROM event WHERE place >= ?1 << 32 AND place < (?1 + 1) << 32 AND end_byte <= ?2 LIMIT ?3
     )`,
  );
  const deleteRemoval = database.prepare('DELETE FROM removal WHERE session = ?');

  const endOfFirst = (session: number): number | undefined => (firstEnd.get([session]) as [number] | undefined)?.[0];

  return () => {
    const [session] = (nextRemoval.get([]) as [number] | undefined) ?? [];
    if (session === undefined) return false;
    const endByte = endOfFirst(session);
    if (endByte !== undefined) deleteSome.run([session, endByte + PURGE_BYTES, PURGE_EVENTS]);
    if (endOfFirst(session) === undefined) deleteRemoval.run([session]);
    return true;
  };
}
