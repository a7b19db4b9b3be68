import type Database from 'libsql';
import type { InboundRow, Operations } from '../operations.ts';
import { requireCursor, requireOwnership } from '../rules.ts';
import type { FindSession } from './session-operations.ts';

/** The operations on a session's events, and on the keys recorded with them. */
export function eventOperations(
  database: Database.Database,
  find: FindSession,
): Pick<Operations, 'append' | 'page' | 'heads' | 'inbound'> {
  const insert = database.prepare(
    'INSERT INTO event (place, epoch, time_ms, kind, end_byte, body) VALUES (?1 << 32 | ?2, ?3, ?4, ?5, ?6, ?7)',
  );
  const setLength = database.prepare('UPDATE session SET head = ?2, bytes = ?3, updated_ms = ?4 WHERE num = ?1');
  const selectInbound = database.prepare('SELECT outcome FROM inbound WHERE session = ? AND key = ?').raw();
  const saveInbound = database.prepare('INSERT OR REPLACE INTO inbound (session, key, outcome) VALUES (?, ?, ?)');
  // The text of a page is put together here: one value from the database is much cheaper than many. `end_byte` stands
  // before `body` in the row, so that bodies beyond the page's bytes are not even read.
  const selectPage = database
    .prepare(
      `SELECT group_concat('[' || seq || ',' || epoch || ',' || time_ms || ',' || json_quote(kind) || ',' || body || ']')
       FROM (
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
      `SELECT session.head FROM json_each(?) AS wanted LEFT JOIN session
       ON session.principal = wanted.value ->> 'principal' AND session.id = wanted.value ->> 'sessionId'
       ORDER BY wanted.key`,
    )
    .raw();

  const findInbound = (num: number, key: string): InboundRow | null => {
    const columns = selectInbound.get([num, key]) as [outcome: string | null] | undefined;
    return columns ? { key, outcomeJson: columns[0] } : null;
  };

  return {
    append(input) {
      const session = find(input);
      const { num, epoch } = session;
      const first = session.head + 1;
      const repeated = input.once ? findInbound(num, input.once.key) : null;
      if (repeated) return { first, last: session.head, epoch, repeated };
      requireOwnership(session, input.epoch);

      let last = session.head;
      if (input.events.length > 0) {
        let { bytes } = session;
        for (const event of input.events) {
          bytes += event.bytes;
          insert.run([num, ++last, epoch, event.timeMs, event.kind, bytes, event.json]);
        }
        setLength.run([num, last, bytes, input.nowMs]);
      }
      for (const inbound of [input.once, input.settle]) {
        if (inbound) saveInbound.run([num, inbound.key, inbound.outcomeJson]);
      }
      return { first, last, epoch, repeated: null };
    },

    page({ after, maxEvents, maxBytes, ...key }) {
      const session = find(key);
      const { num, head } = session;
      requireCursor(session, after);
      if (after === head) return { head, json: '[]' };
      const start = after === 0 ? 0 : (selectEnd.get([num, after]) as [number])[0];
      const [events] = selectPage.get([num, after, after + maxEvents, start + maxBytes]) as [string];
      return { head, json: `[${events}]` };
    },

    heads: ({ sessions }) => (selectHeads.all([JSON.stringify(sessions)]) as [number | null][]).map(([head]) => head),

    inbound: ({ key, ...session }) => findInbound(find(session).num, key),
  };
}
