import { requireCursor, sessionNotFound } from '../backend/rules.ts';
import { STATE_COLUMNS, type StateColumns, toState } from './session-columns.ts';
import type { Reads } from './session-operations.ts';

/** The operations that look at events, and at the keys recorded with them. */
export function eventReads(schema: string): Pick<Reads, 'page' | 'heads' | 'inbound'> {
  return {
    async page(connection, { principal, sessionId, after, maxEvents, maxBytes }) {
      // The text of a page is put together there: one value is much cheaper to take over than many.
      const text = `
        SELECT ${STATE_COLUMNS}, (
          SELECT string_agg(
            '[' || seq || ',' || epoch || ',' || time_ms || ',' || to_json(kind) || ',' || body || ']', ',' ORDER BY seq
          ) FROM (
            SELECT seq, epoch, time_ms, kind, body FROM ${schema}.event
            WHERE session = num AND seq > start AND seq <= least(start + $4::bigint, head) AND (
              seq = start + 1 OR end_byte <= $5::bigint
                + coalesce((SELECT end_byte FROM ${schema}.event WHERE session = num AND seq = start), trimmed_bytes)
            )
            ORDER BY seq
          ) AS page
        ) AS events
        FROM ${schema}.session,
          LATERAL (SELECT CASE WHEN $3::bigint = 0 THEN greatest(trimmed_to - 1, 0) ELSE $3 END AS start) AS reader
        WHERE principal = $1 AND id = $2`;
      const values = [principal, sessionId, after, maxEvents, maxBytes];
      const { rows } = await connection.query({ name: 'page', text, values });
      const [row] = rows as readonly (StateColumns & { readonly events: string | null })[];
      if (!row) throw sessionNotFound(sessionId);
      requireCursor(toState(row), after);
      return { num: row.num, head: row.head, trimmedTo: row.trimmed_to, json: `[${row.events ?? ''}]` };
    },

    async heads(connection, { sessions }) {
      const { rows } = await connection.query({
        name: 'heads',
        text: `SELECT num, head FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (principal, id, place)
               LEFT JOIN ${schema}.session USING (principal, id) ORDER BY place`,
        values: [sessions.map(({ principal }) => principal), sessions.map(({ sessionId }) => sessionId)],
      });
      const found = rows as readonly { readonly num: number | null; readonly head: number }[];
      return found.map(({ num, head }) => (num === null ? null : { num, head }));
    },

    async inbound(connection, { principal, sessionId, key }) {
      const text = `SELECT num, inbound.session IS NOT NULL AS is_there, outcome FROM ${schema}.session
        LEFT JOIN ${schema}.inbound ON inbound.session = num AND inbound.key = $3 WHERE principal = $1 AND id = $2`;
      const { rows } = await connection.query(text, [principal, sessionId, key]);
      const [row] = rows as readonly { readonly is_there: boolean; readonly outcome: string | null }[];
      if (!row) throw sessionNotFound(sessionId);
      return row.is_there ? { key, outcomeJson: row.outcome } : null;
    },
  };
}
