import type Database from 'libsql';
import type { Operations, SessionKey, SessionRow, SessionState } from '../backend/operations.ts';
import { requireCursor, sessionExists, sessionNotFound, toView } from '../backend/rules.ts';
import { processOwners as owners } from '../node/process-owner.ts';
import { listOperation } from './list-operation.ts';
import {
  encodeTitle,
  SESSION_JSON,
  STATE_COLUMNS,
  type StateColumns,
  type StoredSession,
  toRow,
  toState,
} from './session-columns.ts';
import { asBytes, readJson, readText } from './stored-values.ts';

/** Finds a session of a principal, or throws. */
export type FindSession = (key: SessionKey) => SessionState;

type Names = 'create' | 'principals' | 'get' | 'list' | 'update' | 'remove' | 'fork';

/** The operations on sessions as a whole. */
export function sessionOperations(database: Database.Database): Pick<Operations, Names> & { find: FindSession } {
  const select = database.prepare(`SELECT ${asBytes(SESSION_JSON)} FROM session WHERE principal = ? AND id = ?`).raw();
  const selectState = database.prepare(`SELECT ${STATE_COLUMNS} FROM session WHERE principal = ? AND id = ?`).raw();
  const insert = database.prepare(
    `INSERT INTO session (principal, id, cwd, title, metadata, created_ms, updated_ms, parent_id, archived, trimmed_to, head)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, max(0, ?10 - 1))`,
  );
  const change = database.prepare('UPDATE session SET title = ?2, metadata = ?3, archived = ?4 WHERE num = ?1');
  const copyEvents = database.prepare(
    `INSERT INTO event (place, epoch, time_ms, kind, end_byte, body)
     SELECT ?2 << 32 | (place & 0xffffffff), epoch, time_ms, kind, end_byte, body FROM event
     WHERE place > ?1 << 32 AND place >= (?1 << 32 | ?4) AND place <= (?1 << 32 | ?3) ORDER BY place`,
  );
  const setLength = database.prepare(
    `UPDATE session SET head = ?2, bytes = ifnull((SELECT end_byte FROM event WHERE place = (?1 << 32 | ?2)), 0),
       trimmed_bytes = ?3 WHERE num = ?1`,
  );
  // Requests are what earlier versions kept questions in; now a question is an event.
  const removals = ['request WHERE session', 'inbound WHERE session', 'session WHERE num'].map((rows) =>
    database.prepare(`DELETE FROM ${rows} = ?`),
  );
  const selectPrincipals = database.prepare(`SELECT DISTINCT ${asBytes('principal')} FROM session`).raw();
  const removeLater = database.prepare('INSERT INTO removal (session) VALUES (?)');

  const get = ({ principal, sessionId }: SessionKey): SessionRow | null => {
    const columns = select.get([principal, sessionId]) as [json: unknown] | undefined;
    return columns ? toRow(readJson(columns[0]) as StoredSession) : null;
  };
  const getKnown = (key: SessionKey): SessionRow => {
    const row = get(key);
    if (!row) throw sessionNotFound(key.sessionId);
    return row;
  };
  const find: FindSession = ({ principal, sessionId }) => {
    const columns = selectState.get([principal, sessionId]) as StateColumns | undefined;
    if (!columns) throw sessionNotFound(sessionId);
    return toState(sessionId, columns);
  };
  const add = (key: SessionKey, session: NewRow, nowMs: number): SessionRow => {
    if (get(key)) throw sessionExists(key.sessionId);
    const {
      cwd,
      title,
      metadataJson,
      parentId,
      createdAtMs = nowMs,
      updatedAtMs = nowMs,
      isArchived = false,
      trimmedTo = 0,
    } = session;
    const times = [createdAtMs, updatedAtMs];
    const names = [key.principal, key.sessionId, cwd, encodeTitle(title), metadataJson];
    insert.run([...names, ...times, parentId, isArchived ? 1 : 0, trimmedTo]);
    return getKnown(key);
  };

  return {
    find,

    get(key, nowMs) {
      const row = get(key);
      return row && toView(row, { nowMs, owners });
    },

    create: ({ copied, ...input }, nowMs) =>
      toView(add(input, { ...input, parentId: null, ...copied }, nowMs), { nowMs, owners }),

    principals: () => (selectPrincipals.all([]) as [unknown][]).map(([principal]) => readText(principal)),

    list: listOperation(database),

    update({ title, metadataJson, isArchived, ...key }, nowMs) {
      const row = getKnown(key);
      const newTitle = encodeTitle(title === undefined ? row.title : title);
      change.run([row.num, newTitle, metadataJson ?? row.metadataJson, (isArchived ?? row.isArchived) ? 1 : 0]);
      return toView(getKnown(key), { nowMs, owners });
    },

    /** Takes the session away at once; its events, which may be many, go bit by bit. */
    remove(key) {
      const row = get(key);
      if (!row) return false;
      for (const statement of removals) statement.run([row.num]);
      removeLater.run([row.num]);
      return true;
    },

    fork({ principal, sessionId, newId, cwd, title, metadataJson, upTo }, nowMs) {
      const original = getKnown({ principal, sessionId });
      const head = upTo ?? original.head;
      requireCursor(original, head);
      const { trimmedTo, trimmedBytes } = head === 0 ? { trimmedTo: 0, trimmedBytes: 0 } : original;
      const copy = { principal, sessionId: newId };
      const row = {
        cwd: cwd ?? original.cwd,
        title: title ?? original.title,
        metadataJson: metadataJson ?? original.metadataJson,
        parentId: sessionId,
        trimmedTo,
      };
      const { num } = add(copy, row, nowMs);
      copyEvents.run([original.num, num, head, trimmedTo]);
      setLength.run([num, head, trimmedBytes]);
      return toView(getKnown(copy), { nowMs, owners });
    },
  };
}

interface NewRow {
  readonly cwd: string;
  readonly title: string | null;
  readonly metadataJson: string;
  readonly parentId: string | null;
  readonly createdAtMs?: number;
  readonly updatedAtMs?: number;
  readonly isArchived?: boolean;
  readonly trimmedTo?: number | undefined;
}
