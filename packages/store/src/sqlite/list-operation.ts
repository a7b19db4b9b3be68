import type Database from 'libsql';
import type { ListInput, Operations } from '../backend/operations.ts';
import { countFitting, toView } from '../backend/rules.ts';
import { processOwners as owners } from '../node/process-owner.ts';
import { SESSION_JSON, type StoredSession, toRow } from './session-columns.ts';
import { asBytes, readJson, readNumber } from './stored-values.ts';

/** One page of sessions, cut where its metadata becomes too much for one answer. */
export function listOperation(database: Database.Database): Operations['list'] {
  const prepared = new Map<string, Database.Statement>();
  const prepare = (sql: string): Database.Statement => {
    const statement = prepared.get(sql) ?? database.prepare(sql).raw();
    prepared.set(sql, statement);
    return statement;
  };

  return ({ limit, maxBytes, ...query }, nowMs) => {
    const { where, values } = toConditions(query);
    const page = `FROM session WHERE ${where} ORDER BY updated_ms DESC, num DESC LIMIT ?`;
    /** One value for all rows of the page: many would cost more to take out of the database. */
    const readAll = (json: string, bound: readonly (string | number)[]): readonly unknown[] => {
      const sql = `SELECT ${asBytes("'[' || ifnull(group_concat(value), '') || ']'")} FROM (SELECT ${json} AS value ${page})`;
      const [rows] = prepare(sql).get([...bound]) as [unknown];
      return readJson(rows) as readonly unknown[];
    };
    // How much metadata there is, is asked before any of it is read.
    const sizes = readAll('octet_length(metadata)', [...values, limit + 1]).map(readNumber);
    const count = countFitting(sizes, { limit, maxBytes });
    const sessions = readAll(SESSION_JSON, [...values, count]) as readonly StoredSession[];
    return {
      sessions: sessions.map((stored) => toView(toRow(stored), { nowMs, owners })),
      hasMore: count < sizes.length,
    };
  };
}

function toConditions({ principal, cwd, archived, before }: Omit<ListInput, 'limit' | 'maxBytes'>): {
  readonly where: string;
  readonly values: readonly (string | number)[];
} {
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
  return { where: conditions.join(' AND '), values };
}
