import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { OperationError } from '../backend/operations.ts';
import { readAsCurrent } from './older-schema.ts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';

export interface DatabaseOptions {
  readonly path: string;
  /** The most the file may grow to; undefined for as much as the disk holds. */
  readonly maxBytes: number | undefined;
  /** How long to wait for another process that is writing. */
  readonly busyTimeoutMs: number;
}

export interface Opened {
  readonly database: Database.Database;
  /** The version of a schema that can be read as it is, and not be written. */
  readonly olderVersion: number | undefined;
}

/** After a checkpoint the write-ahead log is cut back to this. */
const MAX_IDLE_WAL_BYTES = 16 * 1024 * 1024;

/**
 * Opens the file. Its schema is brought up to date only to write: an earlier Parley may still want a file that was only read.
 * A file that is not ours is left as it is, down to its last byte.
 */
export function openDatabase(options: DatabaseOptions, access: 'read' | 'write'): Opened {
  const { path, maxBytes, busyTimeoutMs } = options;
  const database = connect(path, busyTimeoutMs);
  try {
    requireOurs(database, path);
    enterWalMode(database, busyTimeoutMs);
    database.exec(`PRAGMA journal_size_limit = ${MAX_IDLE_WAL_BYTES}`);
    if (maxBytes !== undefined) {
      database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pragma(database, 'page_size')))}`);
    }
    if (access === 'write') migrate(database, path);
    return toOpened(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
}

function toOpened(database: Database.Database, path: string): Opened {
  const version = requireOurs(database, path);
  if (version === MIGRATIONS.length) return { database, olderVersion: undefined };
  readAsCurrent(database, version);
  return { database, olderVersion: version };
}

/** Opens a file that nobody can write, as it is: without locks, and without companion files. */
export function openReadOnly({ path, busyTimeoutMs }: DatabaseOptions): Opened {
  const database = new Database(`${pathToFileURL(path).href}?immutable=1`, { timeout: busyTimeoutMs });
  try {
    return toOpened(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A connection that commits only to the disk itself, and that leaves checkpoints to `WriteAheadLog`. */
export function connect(path: string, busyTimeoutMs: number): Database.Database {
  const database = new Database(path, { timeout: busyTimeoutMs });
  // FULL makes a commit wait until the disk has it; macOS needs to be told that the disk's own cache does not count.
  database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA wal_autocheckpoint = 0');
  return database;
}

export function pragma(database: Database.Database, name: string): number {
  const [value] = database.prepare(`PRAGMA ${name}`).raw().get([]) as [number];
  return value;
}

/** Changing the journal mode does not wait for others by itself, so that two processes that start together may collide. */
function enterWalMode(database: Database.Database, busyTimeoutMs: number): void {
  const deadline = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
      if (!isBusy || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function migrate(database: Database.Database, path: string): void {
  if (requireOurs(database, path) === MIGRATIONS.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Read again under the lock: another process may have done it meanwhile.
    const version = requireOurs(database, path);
    for (const step of MIGRATIONS.slice(version)) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Returns the version of the schema; 0 for a file that is still empty. */
function requireOurs(database: Database.Database, path: string): number {
  const version = pragma(database, 'user_version');
  const isEmpty = version === 0 && pragma(database, 'schema_version') === 0;
  if (!isEmpty && pragma(database, 'application_id') !== APPLICATION_ID) {
    const message = `${path} is a database of another program; name another file for the session store.`;
    throw new OperationError('store_incompatible', '', message);
  }
  if (version === 0 && !isEmpty) {
    const message = `${path} has tables, but no version of their schema; restore a copy, or name another file.`;
    throw new OperationError('store_corrupt', '', message);
  }
  if (version > MIGRATIONS.length) {
    const message = `${path} was written by a newer Parley (schema ${version}, this one knows ${MIGRATIONS.length}); update Parley, or name another file.`;
    throw new OperationError('store_incompatible', '', message);
  }
  return version;
}
