import { statSync } from 'node:fs';
import type Database from 'libsql';
import { OperationError, type Operations } from '../operations.ts';
import { eventOperations } from './event-operations.ts';
import { leaseOperations } from './lease-operations.ts';
import { type DatabaseOptions, openDatabase } from './open-database.ts';
import { requestOperations } from './request-operations.ts';
import { sessionOperations } from './session-operations.ts';
import { needsReopening, toFault } from './sqlite-fault.ts';

/** Events of removed sessions that are deleted at a time, so that nobody waits long for it. */
const PURGE_EVENTS = 2000;

interface Connected {
  readonly database: Database.Database;
  readonly operations: Operations;
  /** Which file this is, to notice when another one has taken its place. */
  readonly inode: string;
}

/** The connection to the file: opened when first needed, and again after a fault, so that a repaired file just works. */
export class StoreConnection {
  readonly #options: DatabaseOptions;
  #connected: Connected | undefined;
  /** The file that was lost in use, and its write-ahead log. */
  #lost: { readonly inode: string; readonly walInode: string } | undefined;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /** Runs one commit: all that `write` does is durable when this returns, and none of it when this throws. */
  transaction<Result>(write: (operations: Operations) => Result): Result {
    return this.use(({ database, operations, inode }) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = write(operations);
        database.exec('COMMIT');
        this.#requireSameFile(inode);
        return result;
      } catch (error) {
        // SQLite has rolled back by itself after some faults, such as a full disk.
        if (database.inTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  read<Result>(read: (operations: Operations) => Result): Result {
    return this.use(({ operations }) => read(operations));
  }

  /** A number that changes when another connection has committed something. */
  version(): number {
    return this.use(({ database }) => {
      const [version] = database.prepare('PRAGMA data_version').raw().get([]) as [number];
      return version;
    });
  }

  /** Deletes some events of removed sessions; false when there are none left. */
  purge(): boolean {
    return this.use(({ database }) => {
      const removal = database.prepare('SELECT session FROM removal LIMIT 1').raw().get([]) as [number] | undefined;
      if (!removal) return false;
      this.transaction(() => {
        const { changes } = database
          .prepare(
            `DELETE FROM event WHERE place IN (
               SELECT place FROM event WHERE place >= ?1 << 32 AND place < (?1 + 1) << 32 LIMIT ?2
             )`,
          )
          .run([removal[0], PURGE_EVENTS]);
        if (changes < PURGE_EVENTS) database.prepare('DELETE FROM removal WHERE session = ?').run([removal[0]]);
      });
      return true;
    });
  }

  /** The last process to close also folds the write-ahead log back into the file; what is in it is safe there too. */
  close(): void {
    const connected = this.#connected;
    this.#connected = undefined;
    connected?.database.close();
  }

  use<Result>(run: (connected: Connected) => Result): Result {
    try {
      this.#connected ??= this.#connect();
      return run(this.#connected);
    } catch (error) {
      const fault = toFault(error, this.#options.path);
      if (needsReopening(fault)) this.close();
      throw fault;
    }
  }

  #connect(): Connected {
    this.#requireOwnWal();
    const database = openDatabase(this.#options);
    const { find, ...sessions } = sessionOperations(database);
    const operations: Operations = {
      ...sessions,
      ...eventOperations(database, find),
      ...requestOperations(database, find),
      ...leaseOperations(database, find),
    };
    return { database, operations, inode: inodeOf(this.#options.path) };
  }

  /** SQLite would put what is in the log of a lost file into whatever took its place, and so ruin both. */
  #requireOwnWal(): void {
    const { path } = this.#options;
    const { inode, walInode } = this.#lost ?? {};
    if (walInode === undefined || walInode === NO_INODE || inodeOf(`${path}-wal`) !== walInode) return;
    if (inodeOf(path) === inode || inodeOf(path) === NO_INODE) return;
    const message = `The session store ${path} was replaced while in use, but the write-ahead log beside it is still that of the old file; move ${path}-wal and ${path}-shm away, or put the old file back.`;
    throw new OperationError('store_corrupt', '', message);
  }

  /** A file that was deleted or replaced can still be written, but nobody would ever read it again. */
  #requireSameFile(inode: string): void {
    if (inodeOf(this.#options.path) === inode) return;
    this.#lost = { inode, walInode: inodeOf(`${this.#options.path}-wal`) };
    const message = `The session store ${this.#options.path} was moved, deleted or replaced while in use; this call was not saved in what is there now.`;
    throw new OperationError('store_io', '', message);
  }
}

/** No file has it. */
const NO_INODE = '0:0';

function inodeOf(path: string): string {
  const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? { dev: 0, ino: 0 };
  return `${dev}:${ino}`;
}
