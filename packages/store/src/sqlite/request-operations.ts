import type Database from 'libsql';
import type { Operations, RequestRow } from '../operations.ts';
import { requestNotFound, requireOwnership } from '../rules.ts';
import type { FindSession } from './session-operations.ts';
import { asBytes, readJson, readNumber, readText } from './stored-values.ts';

/** One value instead of many, which would cost more to take out of the database. */
const ROW = asBytes('json_array(id, body, asked_ms, answer, answered_by, answered_ms)');

/** The operations on requests that wait for an answer. */
export function requestOperations(
  database: Database.Database,
  find: FindSession,
): Pick<Operations, 'addRequest' | 'answerRequest' | 'openRequests'> {
  const insert = database.prepare('INSERT OR IGNORE INTO request (session, id, body, asked_ms) VALUES (?, ?, ?, ?)');
  const select = database.prepare(`SELECT ${ROW} FROM request WHERE session = ? AND id = ?`).raw();
  const selectOpen = database
    .prepare(`SELECT ${ROW} FROM request WHERE session = ? AND answer IS NULL ORDER BY rowid`)
    .raw();
  // Whether an answer is the first is decided by this condition, under the write lock.
  const answer = database.prepare(
    'UPDATE request SET answer = ?3, answered_by = ?4, answered_ms = ?5 WHERE session = ?1 AND id = ?2 AND answer IS NULL',
  );

  const findRequest = (num: number, requestId: string, sessionId: string): RequestRow => {
    const found = select.get([num, requestId]) as [row: unknown] | undefined;
    if (!found) throw requestNotFound(sessionId, requestId);
    return toRow(found);
  };

  return {
    addRequest({ requestId, json, epoch, nowMs, ...key }) {
      const session = find(key);
      requireOwnership(session, epoch);
      insert.run([session.num, requestId, json, nowMs]);
      return findRequest(session.num, requestId, key.sessionId);
    },

    answerRequest({ requestId, json, answeredBy, nowMs, ...key }) {
      const { num } = find(key);
      const { changes } = answer.run([num, requestId, json, answeredBy, nowMs]);
      return { isFirst: changes === 1, request: findRequest(num, requestId, key.sessionId) };
    },

    openRequests: (key) => (selectOpen.all([find(key).num]) as [row: unknown][]).map(toRow),
  };
}

/** Nothing about them is certain in a file that may be damaged. */
type Columns = readonly [
  id: unknown,
  body: unknown,
  askedMs: unknown,
  answer: unknown,
  answeredBy: unknown,
  answeredMs: unknown,
];

function toRow([row]: readonly [row: unknown]): RequestRow {
  const [id, body, askedMs, answer, answeredBy, answeredMs] = readJson(row) as Columns;
  const request = { requestId: readText(id), json: readText(body), askedAtMs: readNumber(askedMs) };
  if (answer === null) return { ...request, answer: null };
  const given = { json: readText(answer), answeredBy: readText(answeredBy), answeredAtMs: readNumber(answeredMs) };
  return { ...request, answer: given };
}
