import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { OperationError } from '../operations.ts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';

export interface DatabaseOptions {
  readonly path: string;
  /** The most the file may grow to; undefined for as much as the disk holds. */
  readonly maxBytes: number | undefined;
  /** How long to wait for another process that is writing. */
  readonly busyTimeoutMs: number;
}

/** After a checkpoint the write-ahead log is cut back to this. */
const MAX_IDLE_WAL_BYTES = 16 * 1024 * 1024;

/** The smallest page there is. */
const MIN_DATABASE_BYTES = 512;

/** Opens the file, creating it and its folder for the owner's eyes only, and brings its schema up to date. */
export function openDatabase(options: DatabaseOptions): Database.Database {
  const { path, maxBytes, busyTimeoutMs } = options;
  createPrivately(path);
  requireWritable(path);
  requireLarge(path);
  const database = new Database(path, { timeout: busyTimeoutMs });
  try {
    // FULL makes a commit wait until the disk has it; WAL makes that one write, and lets others read meanwhile.
    database.exec('PRAGMA synchronous = FULL');
    enterWalMode(database, busyTimeoutMs);
    database.exec(`PRAGMA journal_size_limit = ${MAX_IDLE_WAL_BYTES}`);
    if (maxBytes !== undefined) {
      database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pragma(database, 'page_size')))}`);
    }
    migrate(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function pragma(database: Database.Database, name: string): number {
  const [value] = database.prepare(`PRAGMA ${name}`).raw().get([]) as [number];
  return value;
}

/** SQLite gives its companion files the mode of the database, so that creating this one privately covers all. */
function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (statSync(path, { throwIfNoEntry: false })) return;
  // SQLite would throw away a write-ahead log without its file, and with it what was acknowledged.
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) {
    const message = `The session store ${path} is gone, but its write-ahead log is not; put the file back, or move ${path}-wal away too.`;
    throw new OperationError('store_corrupt', '', message);
  }
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Another process was faster. Opening it here, just to close it, would drop that file's locks in this process.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * Asked before SQLite opens the file: on one that it cannot write, it would create companion files that nobody can
 * write either, and those would still be there when the file has been repaired.
 */
function requireWritable(path: string): void {
  for (const place of [dirname(path), path]) {
    try {
      accessSync(place, constants.R_OK | constants.W_OK);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      const message = `The session store ${path} cannot be written; check the permissions of the file and of its folder (${detail}).`;
      throw new OperationError('store_readonly', '', message);
    }
  }
}

/** SQLite takes a file that is too short for a database for an empty one, and would write over what it holds. */
function requireLarge(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size >= MIN_DATABASE_BYTES) return;
  const message = `The session store ${path} is not a database; move it away or restore a copy.`;
  throw new OperationError('store_corrupt', '', message);
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
  const isCurrent = (): boolean => {
    const version = pragma(database, 'user_version');
    requireOurs(database, path, version);
    return version === MIGRATIONS.length;
  };
  if (isCurrent()) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Read again under the lock: another process may have done it meanwhile.
    if (!isCurrent()) {
      for (const step of MIGRATIONS.slice(pragma(database, 'user_version'))) database.exec(step);
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function requireOurs(database: Database.Database, path: string, version: number): void {
  const isEmpty = version === 0 && pragma(database, 'schema_version') === 0;
  if (!isEmpty && pragma(database, 'application_id') !== APPLICATION_ID) {
    const message = `${path} is a database of another program; name another file for the session store.`;
    throw new OperationError('store_incompatible', '', message);
  }
  if (version > MIGRATIONS.length) {
    const message = `${path} was written by a newer Parley (schema ${version}, this one knows ${MIGRATIONS.length}); update Parley, or name another file.`;
    throw new OperationError('store_incompatible', '', message);
  }
}
