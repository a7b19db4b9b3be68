import type Database from 'libsql';
import type { Operations, SessionKey, SessionRow } from '../operations.ts';
import { requireCursor, sessionExists, sessionNotFound } from '../rules.ts';

const COLUMNS =
  'num, principal, id, cwd, title, metadata, archived, created_ms, updated_ms, head, bytes, epoch, owner, lease_until_ms, parent_id';

/** Finds a session of a principal, or throws. */
export type FindSession = (key: SessionKey) => SessionRow;

type Names = 'create' | 'get' | 'list' | 'update' | 'remove' | 'fork';

/** The operations on sessions as a whole. */
export function sessionOperations(database: Database.Database): Pick<Operations, Names> & { find: FindSession } {
  const select = database.prepare(`SELECT ${COLUMNS} FROM session WHERE principal = ? AND id = ?`).raw();
  const insert = database.prepare(
    `INSERT INTO session (principal, id, cwd, title, metadata, created_ms, updated_ms, parent_id)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)`,
  );
  const change = database.prepare('UPDATE session SET title = ?2, metadata = ?3, archived = ?4 WHERE num = ?1');
  const copyEvents = database.prepare(
    `INSERT INTO event (place, epoch, time_ms, kind, end_byte, body)
     SELECT ?2 << 32 | (place & 0xffffffff), epoch, time_ms, kind, end_byte, body FROM event
     WHERE place > ?1 << 32 AND place <= (?1 << 32 | ?3) ORDER BY place`,
  );
  const setLength = database.prepare(
    `UPDATE session SET head = ?2, bytes = ifnull((SELECT end_byte FROM event WHERE place = (?1 << 32 | ?2)), 0)
     WHERE num = ?1`,
  );
  const removals = ['request WHERE session', 'inbound WHERE session', 'session WHERE num'].map((rows) =>
    database.prepare(`DELETE FROM ${rows} = ?`),
  );
  const removeLater = database.prepare('INSERT INTO removal (session) VALUES (?)');

  const get = ({ principal, sessionId }: SessionKey): SessionRow | null => {
    const columns = select.get([principal, sessionId]) as Columns | undefined;
    return columns ? toRow(columns) : null;
  };
  const find: FindSession = (key) => {
    const row = get(key);
    if (!row) throw sessionNotFound(key.sessionId);
    return row;
  };
  const add = (key: SessionKey, session: NewRow): SessionRow => {
    if (get(key)) throw sessionExists(key.sessionId);
    const { cwd, title, metadataJson, nowMs, parentId } = session;
    insert.run([key.principal, key.sessionId, cwd, encodeTitle(title), metadataJson, nowMs, parentId]);
    return find(key);
  };

  return {
    find,
    get,
    create: (input) => add(input, { ...input, parentId: null }),

    list({ principal, cwd, archived, before, limit }) {
      const conditions = ['principal = ?'];
      const values: (string | number)[] = [principal];
      if (cwd !== null) {
        conditions.push('cwd = ?');
        values.push(cwd);
      }
      if (archived !== 'include') conditions.push(archived === 'only' ? 'archived = 1' : 'archived = 0');
      if (before) {
        conditions.push('(updated_ms, num) < (?, ?)');
        values.push(before.updatedAtMs, before.num);
      }
      const sql = `SELECT ${COLUMNS} FROM session WHERE ${conditions.join(' AND ')} ORDER BY updated_ms DESC, num DESC LIMIT ?`;
      return (
        database
          .prepare(sql)
          .raw()
          .all([...values, limit]) as Columns[]
      ).map(toRow);
    },

    update({ title, metadataJson, isArchived, ...key }) {
      const row = find(key);
      const newTitle = encodeTitle(title === undefined ? row.title : title);
      change.run([row.num, newTitle, metadataJson ?? row.metadataJson, (isArchived ?? row.isArchived) ? 1 : 0]);
      return find(key);
    },

    /** Takes the session away at once; its events, which may be many, go bit by bit. */
    remove(key) {
      const row = get(key);
      if (!row) return false;
      for (const statement of removals) statement.run([row.num]);
      removeLater.run([row.num]);
      return true;
    },

    fork({ principal, sessionId, newId, cwd, title, metadataJson, upTo, nowMs }) {
      const original = find({ principal, sessionId });
      const head = upTo ?? original.head;
      requireCursor(original, head);
      const copy = { principal, sessionId: newId };
      const { num } = add(copy, {
        cwd: cwd ?? original.cwd,
        title: title ?? original.title,
        metadataJson: metadataJson ?? original.metadataJson,
        parentId: sessionId,
        nowMs,
      });
      copyEvents.run([original.num, num, head]);
      setLength.run([num, head]);
      return find(copy);
    },
  };
}

interface NewRow {
  readonly cwd: string;
  readonly title: string | null;
  readonly metadataJson: string;
  readonly parentId: string | null;
  readonly nowMs: number;
}

type Columns = readonly [
  num: number,
  principal: string,
  id: string,
  cwd: string,
  title: string | null,
  metadata: string,
  archived: number,
  createdMs: number,
  updatedMs: number,
  head: number,
  bytes: number,
  epoch: number,
  owner: string | null,
  leaseUntilMs: number | null,
  parentId: string | null,
];

function toRow(columns: Columns): SessionRow {
  const [num, principal, id, cwd, title, metadataJson, archived, createdAtMs, updatedAtMs, head, bytes] = columns;
  const [, , , , , , , , , , , epoch, owner, leaseUntilMs, parentId] = columns;
  return {
    num,
    id,
    principal,
    cwd,
    title: title === null ? null : (JSON.parse(title) as string),
    metadataJson,
    isArchived: archived === 1,
    createdAtMs,
    updatedAtMs,
    head,
    bytes,
    parentId,
    epoch,
    lease: owner === null ? null : { owner, epoch, leaseUntilMs: leaseUntilMs ?? 0 },
  };
}

function encodeTitle(title: string | null): string | null {
  return title === null ? null : JSON.stringify(title);
}
