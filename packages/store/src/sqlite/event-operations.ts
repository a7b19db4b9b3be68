import type Database from 'libsql';
import type { InboundRow, Operations } from '../backend/operations.ts';
import { requireCursor, requireWritable, sessionFull, startAfter } from '../backend/rules.ts';
import { MAX_SESSION_EVENTS } from '../contract/limits.ts';
import { processOwners } from '../node/process-owner.ts';
import type { FindSession } from './session-operations.ts';
import { DamagedError } from './sqlite-fault.ts';
import { asBytes, readNumber, readText, readTextOrNull } from './stored-values.ts';

/** The operations on a session's events, and on the keys recorded with them. */
export function eventOperations(
  database: Database.Database,
  find: FindSession,
): Pick<Operations, 'append' | 'page' | 'heads' | 'inbound'> {
  const insert = database.prepare(
    'INSERT INTO event (place, epoch, time_ms, kind, end_byte, body) VALUES (?1 << 32 | ?2, ?3, ?4, ?5, ?6, ?7)',
  );
  const setLength = database.prepare('UPDATE session SET head = ?2, bytes = ?3, updated_ms = ?4 WHERE num = ?1');
  const selectInbound = database
    .prepare(`SELECT ${asBytes('outcome')} FROM inbound WHERE session = ? AND key = ?`)
    .raw();
  const saveInbound = database.prepare('INSERT OR REPLACE INTO inbound (session, key, outcome) VALUES (?, ?, ?)');
  // The text of a page is put together here: one value from the database is much cheaper than many. `end_byte` stands
  // before `body` in the row, so that bodies beyond the page's bytes are not even read.
  const page = `group_concat('[' || seq || ',' || epoch || ',' || time_ms || ',' || json_quote(kind) || ',' || body || ']')`;
  const selectPage = database
    .prepare(
      `SELECT ${asBytes(page)} FROM (
         SELECT place & 0xffffffff AS seq, epoch, time_ms, kind, body FROM event
         WHERE place > (?1 << 32 | ?2) AND place <= (?1 << 32 | ?3) AND (end_byte <= ?4 OR place = (?1 << 32 | ?2) + 1)
         ORDER BY place
       )`,
    )
    .raw();
  const selectEnd = database.prepare('SELECT end_byte FROM event WHERE place = (?1 << 32 | ?2)').raw();

  // One statement for all of them: calls into the database cost more than what it does.
  const selectHeads = database
    .prepare(
      `SELECT session.num, session.head FROM json_each(?) AS wanted LEFT JOIN session
       ON session.principal = wanted.value ->> 'principal' AND session.id = wanted.value ->> 'sessionId'
       ORDER BY wanted.key`,
    )
    .raw();

  const findInbound = (num: number, key: string): InboundRow | null => {
    const columns = selectInbound.get([num, key]) as [outcome: unknown] | undefined;
    return columns ? { key, outcomeJson: readTextOrNull(columns[0]) } : null;
  };
  const endOf = (num: number, seq: number): number => {
    const columns = selectEnd.get([num, seq]) as [endByte: unknown] | undefined;
    if (!columns) throw new DamagedError(`event ${seq} is missing`);
    return readNumber(columns[0]);
  };

  return {
    append(input, nowMs) {
      const session = find(input);
      const { num, epoch, head } = session;
      const repeated = input.once ? findInbound(num, input.once.key) : null;
      if (repeated) return { num, first: head + 1, last: head, epoch, timeMs: nowMs, repeated };
      requireWritable(session, input, processOwners);
      const last = head + input.events.length;
      if (last > MAX_SESSION_EVENTS) throw sessionFull(input.sessionId);

      if (input.events.length > 0) {
        let { bytes } = session;
        let seq = head;
        for (const event of input.events) {
          bytes += event.bytes;
          insert.run([num, ++seq, epoch, event.timeMs ?? nowMs, event.kind, bytes, event.json]);
        }
        setLength.run([num, last, bytes, nowMs]);
      }
      for (const inbound of [input.once, input.settle]) {
        if (inbound) saveInbound.run([num, inbound.key, inbound.outcomeJson]);
      }
      return { num, first: head + 1, last, epoch, timeMs: nowMs, repeated: null };
    },

    page({ after, maxEvents, maxBytes, ...key }) {
      const session = find(key);
      const { num, head } = session;
      requireCursor(session, after);
      const { trimmedTo, trimmedBytes } = session;
      const start = startAfter(session, after);
      if (start === head) return { num, head, trimmedTo, json: '[]' };
      const startByte = after <= trimmedTo ? trimmedBytes : endOf(num, after);
      const range = [start, Math.min(start + maxEvents, head), startByte + maxBytes];
      const [events] = selectPage.get([num, ...range]) as [unknown];
      return { num, head, trimmedTo, json: `[${readText(events)}]` };
    },

    heads({ sessions }) {
      const rows = selectHeads.all([JSON.stringify(sessions)]) as [num: unknown, head: unknown][];
      return rows.map(([num, head]) => (num === null ? null : { num: readNumber(num), head: readNumber(head) }));
    },

    inbound: ({ key, ...session }) => findInbound(find(session).num, key),
  };
}
