import type Database from 'libsql';
import type { ListInput, Operations } from '../operations.ts';
import { countFitting } from '../rules.ts';
import { COLUMNS, type Columns, toRow } from './session-columns.ts';
import { readNumber } from './stored-values.ts';

/** One page of sessions, cut where its metadata becomes too much for one answer. */
export function listOperation(database: Database.Database): Operations['list'] {
  const prepared = new Map<string, Database.Statement>();
  const prepare = (sql: string): Database.Statement => {
    const statement = prepared.get(sql) ?? database.prepare(sql).raw();
    prepared.set(sql, statement);
    return statement;
  };

  return ({ limit, maxBytes, ...query }) => {
    const { where, values } = toConditions(query);
    const page = `FROM session WHERE ${where} ORDER BY updated_ms DESC, num DESC LIMIT ?`;
    // How much metadata there is, is asked before any of it is read.
    const sizes = prepare(`SELECT octet_length(metadata) ${page}`).all([...values, limit + 1]) as [unknown][];
    const count = countFitting(
      sizes.map(([size]) => readNumber(size)),
      { limit, maxBytes },
    );
    const rows = prepare(`SELECT ${COLUMNS} ${page}`).all([...values, count]) as Columns[];
    return { sessions: rows.map(toRow), hasMore: count < sizes.length };
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
