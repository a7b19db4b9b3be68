import { threadId } from 'node:worker_threads';
import type Database from 'libsql';
import { OperationError, type Operations } from '../backend/operations.ts';
import { createFile, isOnReadOnlyDisk } from './create-file.ts';
import { eventOperations } from './event-operations.ts';
import { leaseOperations } from './lease-operations.ts';
import { openDatabase, openReadOnly, pragma } from './open-database.ts';
import { type EventPurger, eventPurger } from './purge-events.ts';
import { sessionOperations } from './session-operations.ts';
import { needsReopening, toFault } from './sqlite-fault.ts';
import { identify, inodeOf, locateFiles, NO_INODE, type StoreFiles } from './store-files.ts';
import type { LostFile, ThreadData, Worn } from './thread-messages.ts';
import { trimOperation } from './trim-operation.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

interface Connected {
  readonly database: Database.Database;
  readonly operations: Operations;
  readonly selectVersion: Database.Statement;
  readonly purger: EventPurger;
  /** Undefined where the file can only be read. */
  readonly wal: WriteAheadLog | undefined;
  readonly files: StoreFiles;
  readonly identity: string;
  /** As in `Opened`. */
  readonly olderVersion: number | undefined;
}

type Access = 'read' | 'write';

/**
 * The connection to the file, opened when first needed. After a fault that may have harmed it, it does nothing more: the
 * driver only lets go of a file for good when its thread ends, so that a new thread must take over.
 */
export class StoreConnection {
  readonly #options: ThreadData;
  #connected: Connected | undefined;
  #fault: OperationError | undefined;
  /** Whether the driver has ever touched the file in this thread. */
  #hasOpened = false;
  #isWorn = false;
  #lost: LostFile | undefined;
  #hasGivenUpPurging = false;
  #connections = 0;

  constructor(options: ThreadData) {
    this.#options = options;
    this.#lost = options.lost;
  }

  /** What the next thread must know, once this one should be replaced. */
  get worn(): Worn | undefined {
    return this.#isWorn ? { lost: this.#lost } : undefined;
  }

  /** Runs one commit: all that `write` does is durable when this returns, and none of it when it throws. */
  transaction<Result>(write: (operations: Operations) => Result): Result {
    return this.#use((connected) => {
      const { database, operations } = connected;
      if (!connected.wal) throw this.#cannotBeWritten();
      database.exec('BEGIN IMMEDIATE');
      let isCommitting = false;
      try {
        const result = write(operations);
        this.#requireSameFiles(connected);
        isCommitting = true;
        database.exec('COMMIT');
        this.#requireSameFiles(connected);
        return result;
      } catch (error) {
        // SQLite has rolled back by itself after some faults, such as a full disk.
        if (database.inTransaction) database.exec('ROLLBACK');
        throw toFault(error, { path: this.#options.path, during: isCommitting ? 'commit' : 'write' });
      }
    }, 'write');
  }

  /** Runs reads that all see the same moment, whatever other processes do meanwhile. A fault of one leaves the others alone. */
  snapshot<Result>(
    reads: readonly ((operations: Operations) => Result)[],
    onFault: (fault: OperationError, index: number) => Result,
  ): Result[] {
    return this.#use((connected) => {
      const { database, operations } = connected;
      this.#requireSameFiles(connected);
      database.exec('BEGIN');
      try {
        return reads.map((read, index) => {
          try {
            return read(operations);
          } catch (error) {
            return onFault(this.#note(error), index);
          }
        });
      } finally {
        if (database.inTransaction) database.exec('ROLLBACK');
      }
    });
  }

  /** Changes when another connection has committed something, and when this one is a new one. */
  version(): string {
    return this.#use(({ selectVersion }) => `${threadId}.${this.#connections}.${selectVersion.get([])}`);
  }

  /** Deletes some events of removed sessions, or some that were trimmed away; false when there are none left, or none that can be deleted. */
  purge(): boolean {
    if (!this.#connected?.wal || this.#fault || this.#hasGivenUpPurging) return false;
    const { database, purger } = this.#connected;
    try {
      if (!purger.hasWork()) return false;
      database.exec('BEGIN IMMEDIATE');
      purger.deleteSome();
      database.exec('COMMIT');
      return true;
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      // Only tidying up: damage in what nobody wants any more shall not disturb the rest.
      this.#hasGivenUpPurging = needsReopening(toFault(error, { path: this.#options.path, during: 'write' }));
      return false;
    }
  }

  checkpoint(): void {
    if (!this.#fault) this.#connected?.wal?.checkpointIfLong();
  }

  /** The last process to close also folds the write-ahead log back into the file; what is in it is safe there too. */
  close(): void {
    const connected = this.#connected;
    this.#connected = undefined;
    connected?.wal?.close();
    connected?.database.close();
  }

  #use<Result>(run: (connected: Connected) => Result, access: Access = 'read'): Result {
    if (this.#fault) throw this.#fault;
    try {
      if (this.#connected && isOutdated(this.#connected, access)) this.close();
      this.#connected ??= this.#connect(access);
      return run(this.#connected);
    } catch (error) {
      throw this.#note(error);
    }
  }

  /** Damage in one place leaves the rest of an open file readable; after other faults nothing is certain. */
  #note(error: unknown): OperationError {
    const fault = toFault(error, { path: this.#options.path, during: 'read' });
    const isOnlyRefused = fault.code === 'store_readonly' && this.#connected !== undefined && !this.#connected.wal;
    if (!needsReopening(fault) || !this.#hasOpened || isOnlyRefused) return fault;
    this.#isWorn = true;
    if (!this.#connected || fault.code !== 'store_corrupt') this.#fault = fault;
    return fault;
  }

  #connect(access: Access): Connected {
    const { path, busyTimeoutMs } = this.#options;
    const files = locateFiles(path);
    this.#requireOwnWal(files);
    const isReadOnly = createFile(files) === 'read-only';
    this.#hasOpened = true;
    this.#connections += 1;
    const options = { ...this.#options, path: files.database };
    const { database, olderVersion } = isReadOnly ? openReadOnly(options) : openDatabase(options, access);
    const { find, ...sessions } = sessionOperations(database);
    const events = eventOperations(database, find);
    const operations: Operations = {
      ...sessions,
      ...events,
      create: (input, nowMs) => {
        const row = sessions.create(input, nowMs);
        if (input.events.length === 0) return row;
        events.append(
          { ...input, epoch: undefined, isInput: false, once: undefined, settle: undefined },
          input.copied?.updatedAtMs ?? nowMs,
        );
        return sessions.get(input, nowMs) ?? row;
      },
      trim: trimOperation(database, { find, get: sessions.get }),
      ...leaseOperations(database, find),
    };
    const pageSize = pragma(database, 'page_size');
    const wal = isReadOnly ? undefined : new WriteAheadLog({ files, database, pageSize, busyTimeoutMs });
    const selectVersion = database.prepare('PRAGMA data_version').raw();
    const purger = eventPurger(database);
    return { database, operations, selectVersion, purger, wal, files, identity: identify(files), olderVersion };
  }

  #cannotBeWritten(): OperationError {
    const message = `The session store ${this.#options.path} is on a file system that is read-only; it can be read, and nothing of this call was saved.`;
    return new OperationError('store_readonly', '', message);
  }

  /** SQLite would put what is in the log of a lost file into whatever took its place, and so ruin both. */
  #requireOwnWal({ database, wal }: StoreFiles): void {
    const { inode, walInode } = this.#lost ?? {};
    if (walInode === undefined || walInode === NO_INODE || inodeOf(wal) !== walInode) return;
    if (inodeOf(database) === inode || inodeOf(database) === NO_INODE) return;
    const message = `The session store ${this.#options.path} was replaced while in use, but the write-ahead log beside it is still that of the old file and holds what was saved last; put the old file back, or this one together with a log of its own.`;
    throw new OperationError('store_corrupt', '', message);
  }

  /**
   * A file that was deleted or replaced can still be written, but nobody would ever read it again; and without the same
   * companion files two processes would not see each other's locks.
   */
  #requireSameFiles({ files, identity }: Connected): void {
    if (identify(files) === identity) return;
    // The log that belonged to it, and not one that has come with another file meanwhile.
    const [inode = NO_INODE, walInode = NO_INODE] = identity.split(' ');
    if (inodeOf(files.database) !== inode) this.#lost = { inode, walInode };
    const message = `The session store ${this.#options.path}, or a file that belongs to it, was moved, deleted or replaced while in use; this call was not saved in what is there now. Leave these files in place while programs use them.`;
    throw new OperationError('store_io', '', message);
  }
}

/**
 * A file system that was read-only may be writable by now, and then the writes of other processes must be seen. A schema that could
 * only be read is moved forward before the first write, or has been by another process.
 */
function isOutdated({ database, wal, files, olderVersion }: Connected, access: Access): boolean {
  if (!wal) return !isOnReadOnlyDisk(files);
  if (olderVersion === undefined) return false;
  return access === 'write' || pragma(database, 'user_version') !== olderVersion;
}
