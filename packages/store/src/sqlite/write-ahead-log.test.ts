import { statSync } from 'node:fs';
import Database from 'libsql';
import { expect, it } from 'vitest';
import { temporaryPaths } from '../../test/temporary-folder.ts';
import { createFile } from './create-file.ts';
import { connect } from './open-database.ts';
import { locateFiles } from './store-files.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

const PAGE_BYTES = 4096;
const newPath = temporaryPaths();

/** A database whose write-ahead log holds all that was ever written. */
function openWithLog() {
  const files = locateFiles(newPath());
  createFile(files);
  const database = connect(files.database, 5000);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE text (body TEXT)');
  const insert = database.prepare('INSERT INTO text VALUES (?)');
  const wal = new WriteAheadLog({ files, database, pageSize: PAGE_BYTES, busyTimeoutMs: 5000 });
  return {
    database,
    wal,
    path: files.database,
    writePages: (count: number) => insert.run(['x'.repeat(count * PAGE_BYTES)]),
    fileSize: () => statSync(files.database).size,
    close: () => {
      wal.close();
      database.close();
    },
  };
}

it('folds the log back once it is long, and not before', () => {
  const { wal, writePages, fileSize, close } = openWithLog();
  const before = fileSize();
  writePages(900);
  wal.checkpointIfLong();
  expect(fileSize()).toBe(before);
  writePages(200);
  wal.checkpointIfLong();
  expect(fileSize()).toBeGreaterThan(1000 * PAGE_BYTES);
  // The log begins anew with the next commit, and is short again.
  const folded = fileSize();
  writePages(900);
  wal.checkpointIfLong();
  expect(fileSize()).toBe(folded);
  close();
});

it('never folds it back while another process may commit', () => {
  const { wal, writePages, fileSize, path, close } = openWithLog();
  const before = fileSize();
  writePages(1100);
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  wal.checkpointIfLong();
  expect(fileSize()).toBe(before);
  other.exec('COMMIT');
  wal.checkpointIfLong();
  expect(fileSize()).toBeGreaterThan(1000 * PAGE_BYTES);
  other.close();
  close();
});

it('leaves the checkpoints that SQLite would make by itself undone', () => {
  const { writePages, fileSize, close } = openWithLog();
  const before = fileSize();
  for (let commit = 0; commit < 30; commit++) writePages(100);
  expect(fileSize()).toBe(before);
  close();
});
