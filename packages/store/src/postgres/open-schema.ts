import { OperationError } from '../backend/operations.ts';
import type { Connection } from './connections.ts';
import { MIGRATIONS } from './schema.ts';

/** Any number that all versions of Parley share: whoever holds it moves the schema forward, and others wait. */
const MIGRATION_LOCK = 0x50524c59;

export interface OpenSchema {
  readonly schema: string;
  readonly place: string;
}

/** Makes the tables, or moves those of an earlier version forward. Safe when several programs start at once. */
export async function openSchema(client: Connection, { schema, place }: OpenSchema): Promise<void> {
  const name = quoteName(schema);
  if ((await readVersion(client, schema)) === MIGRATIONS.length) return;
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL lock_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [MIGRATION_LOCK, schema]);
    const version = (await readVersion(client, schema)) ?? 0;
    if (version > MIGRATIONS.length) {
      throw new OperationError(
        'store_incompatible',
        '',
        `The session store ${place} was written by a newer version of Parley (its schema is ${version}, this one knows ${MIGRATIONS.length}); update Parley. Nothing was changed.`,
      );
    }
    if (version === 0) {
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
      await client.query(`CREATE TABLE ${name}.version (version integer NOT NULL)`);
      await client.query(`INSERT INTO ${name}.version VALUES (0)`);
    }
    for (const migration of MIGRATIONS.slice(version)) await client.query(migration.replaceAll('$', () => name));
    await client.query(`UPDATE ${name}.version SET version = ${MIGRATIONS.length}`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Undefined where there are no tables yet. */
async function readVersion(client: Connection, schema: string): Promise<number | undefined> {
  // A look into the catalogue itself: shorter ways would be answered from what this connection saw before it waited.
  const { rows: found } = await client.query(
    "SELECT FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid WHERE relname = 'version' AND nspname = $1",
    [schema],
  );
  if (found.length === 0) return undefined;
  const { rows } = await client.query(`SELECT version FROM ${quoteName(schema)}.version`);
  return (rows[0] as { readonly version: number } | undefined)?.version;
}

/** A name within SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
