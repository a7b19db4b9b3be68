import { accessSync, closeSync, constants, fsyncSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderSync } from '@parley/host/places';
import { OperationError } from '../backend/operations.ts';
import type { StoreFiles } from './store-files.ts';

/** The smallest page there is. */
const MIN_DATABASE_BYTES = 512;

/**
 * Makes the file and its folder if they are missing, for the owner's eyes only, and refuses what SQLite would make worse
 * by opening it. SQLite gives its companion files the mode of the database, so that this one covers all. A file on a
 * file system that is read-only stays as it is, and can only be read.
 */
export function createFile(files: StoreFiles): 'writable' | 'read-only' {
  const { database } = files;
  if (isOnReadOnlyDisk(files)) {
    requireWholeFile(files);
    return 'read-only';
  }
  createFolder(dirname(database));
  const found = statSync(database, { throwIfNoEntry: false });
  if (found && !found.isFile()) {
    throw new OperationError(
      'store_unavailable',
      '',
      `${database} is not a file; name another one for the session store.`,
    );
  }
  requireNoOrphanedLog(files);
  if (!found) createEmpty(database);
  requireWritable(database);
  requireLarge(database);
  return 'writable';
}

/** Whether the file is there, on a file system that nobody can write. A lack of permission is something else: others may write. */
export function isOnReadOnlyDisk({ database }: StoreFiles): boolean {
  try {
    accessSync(database, constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS';
  }
}

/** Events that are still in the write-ahead log can only be read where SQLite can write its index. */
function requireWholeFile({ database, wal }: StoreFiles): void {
  requireLarge(database);
  if (!statSync(wal, { throwIfNoEntry: false })?.size) return;
  const message = `The session store ${database} is on a file system that is read-only, and what was saved last is still in its write-ahead log; copy both to a place that can be written, and read them there.`;
  throw new OperationError('store_readonly', '', message);
}

/** A folder is only on the disk once the folder above it is. */
function createFolder(folder: string): void {
  const first = makeFolderSync(folder);
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}

/** As far as possible: not every system lets a folder be opened, or written through to the disk. */
function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch {
    // The folder is there, and will be on the disk sooner or later.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** SQLite would throw away a write-ahead log without its file, and with it what was acknowledged. */
function requireNoOrphanedLog({ database, wal }: StoreFiles): void {
  if (!statSync(wal, { throwIfNoEntry: false })?.size) return;
  // Looked at last: another process may just be making both.
  if (statSync(database, { throwIfNoEntry: false })?.size) return;
  const message = `The session store ${database} is gone or empty, but its write-ahead log ${wal} is not, and holds what was saved last; put the file back.`;
  throw new OperationError('store_corrupt', '', message);
}

function createEmpty(path: string): void {
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
  const message = `The session store ${path} is not a database; restore a copy, or move it away together with its -wal.`;
  throw new OperationError('store_corrupt', '', message);
}
