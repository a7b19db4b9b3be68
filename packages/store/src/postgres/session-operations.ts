import type { Input, Output, SessionKey, SessionRow, SessionView } from '../backend/operations.ts';
import {
  lastTrimmed,
  nextLease,
  renewedLease,
  requireCursor,
  sessionExists,
  sessionNotFound,
  toView,
} from '../backend/rules.ts';
import type { Lease } from '../contract/lease.ts';
import type { CopiedFacts } from '../contract/session-record.ts';
import { type Connection, nowMs, type Transaction } from './database.ts';
import { owners } from './owners.ts';
import { encodeTitle, SESSION_COLUMNS, type SessionColumns, toRow } from './session-columns.ts';

type ReadName = 'get' | 'list' | 'principals' | 'page' | 'heads' | 'inbound';
type WriteName = 'create' | 'update' | 'remove' | 'fork' | 'trim' | 'acquire' | 'renew' | 'release';

/** The operations that only look, each as one statement: one moment of the database. */
export type Reads = {
  readonly [Name in ReadName]: (connection: Connection, input: Input<Name>, time: Time) => Promise<Output<Name>>;
};

/** The operations that write, but for `append`, which many calls share. */
export type Writes = {
  readonly [Name in WriteName]: (transaction: Transaction, input: Input<Name>) => Promise<Output<Name>>;
};

/** The time of a call where the store was given a clock of its own; else the database's counts. */
export type Time = number | undefined;

export function sessionReads(schema: string): Pick<Reads, 'get' | 'list' | 'principals'> {
  const now = `${nowMs()} AS now_ms`;
  return {
    async get(connection, { principal, sessionId }, time) {
      const text = `SELECT ${SESSION_COLUMNS}, ${now} FROM ${schema}.session WHERE principal = $1 AND id = $2`;
      const { rows } = await connection.query({ name: 'get', text, values: [principal, sessionId] });
      const [row] = rows as readonly TimedColumns[];
      return row ? toShown(row, time) : null;
    },

    async principals(connection) {
      const { rows } = await connection.query(`SELECT DISTINCT principal FROM ${schema}.session`);
      return (rows as readonly { readonly principal: string }[]).map(({ principal }) => principal);
    },

    async list(connection, { principal, cwd, archived, before, limit, maxBytes }, time) {
      // The page ends where its metadata becomes too much; the first session is listed whatever its size.
      const text = `
        WITH wanted AS (
          SELECT ${SESSION_COLUMNS} FROM ${schema}.session
          WHERE principal = $1 AND ($2::text IS NULL OR cwd = $2) AND ($3::boolean IS NULL OR archived = $3)
            AND ($4::bigint IS NULL OR (updated_ms, num) < ($4, $5::bigint))
          ORDER BY updated_ms DESC, num DESC LIMIT $6::bigint + 1
        ), measured AS (
          SELECT *, row_number() OVER page AS place, sum(octet_length(metadata)) OVER page AS size, count(*) OVER () AS found
          FROM wanted WINDOW page AS (ORDER BY updated_ms DESC, num DESC ROWS UNBOUNDED PRECEDING)
        )
        SELECT *, ${now} FROM measured WHERE place <= $6 AND (place = 1 OR size <= $7::bigint) ORDER BY place`;
      const isArchived = archived === 'include' ? null : archived === 'only';
      const position = [before?.updatedAtMs ?? null, before?.num ?? null];
      const values = [principal, cwd, isArchived, ...position, limit, maxBytes];
      const { rows } = await connection.query({ text, values });
      const sessions = rows as readonly (TimedColumns & { readonly found: number })[];
      return {
        sessions: sessions.map((row) => toShown(row, time)),
        hasMore: sessions.length < (sessions[0]?.found ?? 0),
      };
    },
  };
}

export function sessionWrites(schema: string): Writes {
  const find = async ({ connection }: Transaction, key: SessionKey, lock: 'UPDATE' | 'SHARE'): Promise<SessionRow> => {
    const text = `SELECT ${SESSION_COLUMNS} FROM ${schema}.session WHERE principal = $1 AND id = $2 FOR ${lock}`;
    const { rows } = await connection.query(text, [key.principal, key.sessionId]);
    const [row] = rows as readonly SessionColumns[];
    if (!row) throw sessionNotFound(key.sessionId);
    return toRow(row);
  };
  const add = async ({ connection, nowMs }: Transaction, key: SessionKey, row: NewRow): Promise<SessionRow> => {
    const text = `
      INSERT INTO ${schema}.session (principal, id, cwd, title, metadata, created_ms, updated_ms, head, bytes, parent_id, archived, trimmed_to, trimmed_bytes)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING RETURNING ${SESSION_COLUMNS}`;
    const { cwd, title, metadataJson, head, bytes, parentId } = row;
    const { createdAtMs = nowMs, updatedAtMs = nowMs, isArchived = false, trimmedTo = 0, trimmedBytes = 0 } = row;
    const names = [key.principal, key.sessionId, cwd, encodeTitle(title), metadataJson];
    const { rows } = await connection.query(text, [
      ...names,
      createdAtMs,
      updatedAtMs,
      head,
      bytes,
      parentId,
      isArchived,
      trimmedTo,
      trimmedBytes,
    ]);
    const [added] = rows as readonly SessionColumns[];
    if (!added) throw sessionExists(key.sessionId);
    return toRow(added);
  };
  const grant = async ({ connection }: Transaction, num: number, lease: Lease): Promise<Lease> => {
    const text = `UPDATE ${schema}.session SET owner = $2, epoch = $3, lease_until_ms = $4 WHERE num = $1`;
    await connection.query(text, [num, lease.owner, lease.epoch, lease.leaseUntilMs]);
    return lease;
  };
  const show = (row: SessionRow, { nowMs }: Transaction): SessionView => toView(row, { nowMs, owners });

  return {
    async create(transaction, { events, copied, ...input }) {
      const { connection, nowMs } = transaction;
      const ends: number[] = [];
      for (const { bytes } of events) ends.push((ends.at(-1) ?? 0) + bytes);
      const before = Math.max(0, (copied?.trimmedTo ?? 0) - 1);
      const size = { head: before + events.length, bytes: ends.at(-1) ?? 0 };
      const row = await add(transaction, input, { ...input, ...size, parentId: null, ...copied });
      await connection.query(
        `INSERT INTO ${schema}.event (session, seq, epoch, time_ms, kind, end_byte, body)
         SELECT $1, $6::bigint + seq, 0, time_ms, kind, end_byte, body
         FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[]) WITH ORDINALITY AS new (time_ms, kind, end_byte, body, seq)`,
        [
          row.num,
          events.map(({ timeMs = nowMs }) => timeMs),
          events.map(({ kind }) => kind),
          ends,
          events.map(({ json }) => json),
          before,
        ],
      );
      return show(row, transaction);
    },

    async update(transaction, { title, metadataJson, isArchived, ...key }) {
      const row = await find(transaction, key, 'UPDATE');
      const changed = {
        ...row,
        title: title === undefined ? row.title : title,
        metadataJson: metadataJson ?? row.metadataJson,
        isArchived: isArchived ?? row.isArchived,
      };
      await transaction.connection.query(
        `UPDATE ${schema}.session SET title = $2, metadata = $3, archived = $4 WHERE num = $1`,
        [row.num, encodeTitle(changed.title), changed.metadataJson, changed.isArchived],
      );
      return show(changed, transaction);
    },

    /** Takes the session away at once; its events, which may be many, go bit by bit. */
    async remove({ connection }, { principal, sessionId }) {
      const { rows } = await connection.query(
        `WITH gone AS (DELETE FROM ${schema}.session WHERE principal = $1 AND id = $2 RETURNING num),
           keys AS (DELETE FROM ${schema}.inbound WHERE session IN (SELECT num FROM gone))
         INSERT INTO ${schema}.removal SELECT num FROM gone RETURNING session`,
        [principal, sessionId],
      );
      return rows.length > 0;
    },

    async fork(transaction, { principal, sessionId, newId, cwd, title, metadataJson, upTo }) {
      const original = await find(transaction, { principal, sessionId }, 'SHARE');
      const head = upTo ?? original.head;
      requireCursor(original, head);
      const { trimmedTo, trimmedBytes } = head === 0 ? { trimmedTo: 0, trimmedBytes: 0 } : original;
      const { connection } = transaction;
      const { rows } = await connection.query(`SELECT end_byte FROM ${schema}.event WHERE session = $1 AND seq = $2`, [
        original.num,
        head,
      ]);
      const copy = {
        cwd: cwd ?? original.cwd,
        title: title ?? original.title,
        metadataJson: metadataJson ?? original.metadataJson,
        head,
        bytes: (rows[0] as { readonly end_byte: number } | undefined)?.end_byte ?? 0,
        trimmedTo,
        trimmedBytes,
        parentId: sessionId,
      };
      const row = await add(transaction, { principal, sessionId: newId }, copy);
      await connection.query(
        `INSERT INTO ${schema}.event (session, seq, epoch, time_ms, kind, end_byte, body)
         SELECT $2, seq, epoch, time_ms, kind, end_byte, body FROM ${schema}.event
         WHERE session = $1 AND seq BETWEEN $4 AND $3`,
        [original.num, row.num, head, trimmedTo],
      );
      return show(row, transaction);
    },

    /** Puts the summary in its place at once; the events before it, which may be many, go bit by bit. */
    async trim(transaction, input) {
      const { connection, nowMs } = transaction;
      const session = await find(transaction, input, 'UPDATE');
      const last = lastTrimmed(session, input, owners);
      if (last === undefined) return show(session, transaction);
      const { kind, json, bytes, timeMs = nowMs } = input.summary;
      const { rows } = await connection.query(
        `UPDATE ${schema}.event SET epoch = $3, time_ms = $4, kind = $5, body = $6 WHERE session = $1 AND seq = $2 RETURNING end_byte`,
        [session.num, last, session.epoch, timeMs, kind, json],
      );
      const trimmedBytes = ((rows[0] as { readonly end_byte: number } | undefined)?.end_byte ?? bytes) - bytes;
      await connection.query(
        `WITH later AS (INSERT INTO ${schema}.trimming VALUES ($1) ON CONFLICT DO NOTHING)
         UPDATE ${schema}.session SET trimmed_to = $2, trimmed_bytes = $3 WHERE num = $1`,
        [session.num, last, trimmedBytes],
      );
      return show({ ...session, trimmedTo: last, trimmedBytes }, transaction);
    },

    async acquire(transaction, input) {
      const session = await find(transaction, input, 'UPDATE');
      return grant(transaction, session.num, nextLease(session, input, { nowMs: transaction.nowMs, owners }));
    },

    async renew(transaction, input) {
      const session = await find(transaction, input, 'UPDATE');
      return grant(transaction, session.num, renewedLease(session, input, { nowMs: transaction.nowMs, owners }));
    },

    async release(transaction, { epoch, ...key }) {
      const { num, lease } = await find(transaction, key, 'UPDATE');
      if (lease?.epoch !== epoch) return false;
      await transaction.connection.query(
        `UPDATE ${schema}.session SET owner = NULL, lease_until_ms = NULL WHERE num = $1`,
        [num],
      );
      return true;
    },
  };
}

type TimedColumns = SessionColumns & { readonly now_ms: number };

function toShown(row: TimedColumns, time: Time): SessionView {
  return toView(toRow(row), { nowMs: time ?? row.now_ms, owners });
}

type NewRow = Pick<SessionRow, 'cwd' | 'title' | 'metadataJson' | 'head' | 'bytes' | 'parentId'> &
  Partial<Pick<SessionRow, 'createdAtMs' | 'updatedAtMs' | 'isArchived' | 'trimmedBytes'>> &
  Pick<CopiedFacts, 'trimmedTo'>;
