import type Database from 'libsql';
import { MIGRATIONS } from './schema.ts';

/** What the tables of each earlier version lack for a reader. Temporary things of the same name are found first. */
const STEPS: readonly ((lacking: string) => string)[] = [
  // A file that is still empty: all tables, without a row.
  () => MIGRATIONS.join(';').replaceAll('CREATE TABLE', 'CREATE TEMP TABLE'),
  (lacking) => `
    ${viewOfSessions(`NULL AS parent_id, ${lacking}`)}
    CREATE TEMP TABLE removal (session INTEGER PRIMARY KEY);
    CREATE TEMP TABLE trimming (session INTEGER PRIMARY KEY);`,
  (lacking) => `
    ${viewOfSessions(lacking)}
    CREATE TEMP TABLE trimming (session INTEGER PRIMARY KEY);`,
];

/** Lets a connection read a file of an earlier version as one of this version, and leaves the file as it is. */
export function readAsCurrent(database: Database.Database, version: number): void {
  const step = STEPS[version];
  if (step) database.exec(step('0 AS trimmed_to, 0 AS trimmed_bytes'));
}

/** The triggers let statements that write be prepared, although none of them is ever run. */
function viewOfSessions(lacking: string): string {
  const refusals = ['INSERT', 'UPDATE', 'DELETE'].map(
    (change) =>
      `CREATE TEMP TRIGGER refuse_${change} INSTEAD OF ${change} ON session BEGIN SELECT RAISE(ABORT, 'only read'); END;`,
  );
  return `CREATE TEMP VIEW session AS SELECT *, ${lacking} FROM main.session; ${refusals.join(' ')}`;
}
