import { closeSync, openSync, readSync } from 'node:fs';
import type Database from 'libsql';
import { connect } from './open-database.ts';
import type { StoreFiles } from './store-files.ts';

export interface WriteAheadLogOptions {
  readonly files: StoreFiles;
  /** The connection that writes. */
  readonly database: Database.Database;
  readonly pageSize: number;
  readonly busyTimeoutMs: number;
}

/** So many pages, from whichever process, and the log is folded back into the file. */
const MAX_PAGES = 1000;

/** How long to wait for the write lock, while calls wait for us. */
const MAX_WAIT_MS = 100;

const HEADER_BYTES = 32;
const HEADER_SALT_AT = 16;
const FRAME_HEADER_BYTES = 24;
const FRAME_SALT_AT = 8;
const SALT_BYTES = 8;

/**
 * Folds the write-ahead log back into the file, in place of SQLite's automatic checkpoints. Up to SQLite 3.51.2 those can
 * lose what another process commits at the same moment (sqlite.org/wal.html, "The WAL-Reset Bug"). Here a checkpoint
 * happens while this process holds the write lock, so that nobody can commit during it.
 */
export class WriteAheadLog {
  readonly #options: WriteAheadLogOptions;
  readonly #descriptor: number;
  readonly #firstSalt = Buffer.alloc(SALT_BYTES);
  readonly #laterSalt = Buffer.alloc(SALT_BYTES);
  /** A connection that holds the write lock cannot make a checkpoint itself. */
  #checkpointer: Database.Database | undefined;

  constructor(options: WriteAheadLogOptions) {
    this.#options = options;
    this.#descriptor = openSync(options.files.wal, 'r');
  }

  /** Only tidying up: what fails now is tried again after the next commit. */
  checkpointIfLong(): void {
    if (!this.#isLong()) return;
    const { database, files, busyTimeoutMs } = this.#options;
    try {
      this.#checkpointer ??= connect(files.database, busyTimeoutMs);
      database.exec(`PRAGMA busy_timeout = ${MAX_WAIT_MS}; BEGIN IMMEDIATE`);
      try {
        this.#checkpointer.exec('PRAGMA wal_checkpoint(PASSIVE)');
      } finally {
        database.exec('ROLLBACK');
      }
    } catch {
      // Of a fault that matters, the next call hears.
    } finally {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
    this.#checkpointer?.close();
  }

  /** Each page in the log carries the salt of the log's beginning, until the log begins anew with another one. */
  #isLong(): boolean {
    const frameBytes = FRAME_HEADER_BYTES + this.#options.pageSize;
    const frameAt = HEADER_BYTES + (MAX_PAGES - 1) * frameBytes;
    return (
      this.#read(this.#firstSalt, HEADER_SALT_AT) &&
      this.#read(this.#laterSalt, frameAt + FRAME_SALT_AT) &&
      this.#firstSalt.equals(this.#laterSalt)
    );
  }

  #read(into: Buffer, position: number): boolean {
    return readSync(this.#descriptor, into, 0, SALT_BYTES, position) === SALT_BYTES;
  }
}
