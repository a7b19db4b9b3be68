import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SessionLog } from '../src/index.ts';
import { type SqliteStoreOptions, sqliteStore } from '../src/sqlite/sqlite-store.ts';
import { collect, numbered, range } from './cases/collect.ts';
import { temporaryPaths } from './temporary-folder.ts';

const newPath = temporaryPaths();

const original = newPath();
beforeAll(async () => {
  await using store = sqliteStore({ path: original });
  await store.log().create({ id: 's', cwd: '/proj' });
  await store.log().append('s', numbered(1, 3));
});

/** A file with a session "s" of three events. */
function newFile(): string {
  const path = newPath();
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(original, path);
  return path;
}

async function bodies(log: SessionLog, sessionId = 's'): Promise<unknown[]> {
  return (await collect(log.read(sessionId))).map(({ body }) => body);
}

describe('a faulty SQLite file', () => {
  it('that is full refuses appends, keeps what it acknowledged, and goes on once there is room', async () => {
    const path = newPath();
    await using store = sqliteStore({ path, maxBytes: 300 * 1024 });
    const log = store.log();
    for (const id of ['ballast', 's']) await log.create({ id, cwd: '/proj' });
    const text = 'x'.repeat(1000);
    await log.append('ballast', Array(100).fill({ kind: 'text', body: text }));
    let acknowledged = 0;
    const fill = async (): Promise<void> => {
      for (;;) {
        await Promise.all(range(1, 4).map(() => log.append('s', [{ kind: 'text', body: text }])));
        acknowledged += 4;
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'store_full', message: expect.stringContaining(path) });
    const { length } = await bodies(log);
    expect(length).toBeGreaterThanOrEqual(acknowledged);
    expect(await log.head('s')).toBe(length);

    await log.remove('ballast');
    // Its events are deleted bit by bit after that.
    for (let isFull = true; isFull; ) {
      isFull = await log.append('s', [{ kind: 'text', body: text }]).then(
        () => false,
        ({ code }) => code === 'store_full',
      );
    }
    expect(await bodies(log)).toHaveLength(length + 1);
  });

  it.each([
    ['no database', Buffer.from('This is a text file, not a database. '.repeat(300))],
    ['a short text', Buffer.from('Buy milk.\n')],
    ['a database with a broken header', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8192, 0xff)])],
  ])('that is %s is reported and left alone; putting a good one back is enough', async (_, content) => {
    const path = newFile();
    copyFileSync(path, `${path}.good`);
    writeFileSync(path, content);
    await using store = sqliteStore({ path });
    const log = store.log();
    await expect(log.get('s')).rejects.toMatchObject({ code: 'store_corrupt', message: expect.stringContaining(path) });
    await expect(log.append('s', numbered(4, 4))).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(readFileSync(path)).toEqual(content);

    renameSync(`${path}.good`, path);
    await log.append('s', numbered(4, 4));
    expect(await bodies(log)).toEqual([1, 2, 3, 4]);
  });

  it('that is damaged in one place is reported there, and still readable elsewhere', async () => {
    const path = newFile();
    const before = sqliteStore({ path });
    await before.log().create({ id: 'damaged', cwd: '/proj' });
    await before.log().append('damaged', Array(100).fill({ kind: 'text', body: `MARK${'x'.repeat(500)}` }));
    await before.close();
    const content = readFileSync(path);
    const page = Math.floor(content.lastIndexOf('MARK') / 4096) * 4096;
    content.fill(0xff, page, page + 4096);
    writeFileSync(path, content);

    await using store = sqliteStore({ path });
    await expect(bodies(store.log(), 'damaged')).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(await bodies(store.log())).toEqual([1, 2, 3]);
  });

  it.each(['DELETE', 'WAL'])('of another program is refused and left as it is (%s)', async (journal) => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    const other = new Database(path);
    other.exec(`PRAGMA journal_mode = ${journal}; CREATE TABLE cookies (name TEXT)`);
    other.close();
    const before = readFileSync(path);
    {
      await using store = sqliteStore({ path });
      await expect(store.log().list()).rejects.toMatchObject({ code: 'store_incompatible' });
      await expect(store.log().create({ id: 's', cwd: '/proj' })).rejects.toMatchObject({ code: 'store_incompatible' });
    }
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(dirname(path))).toEqual(['sessions.db']);
  });

  it('of a newer Parley is refused and left as it is', async () => {
    const path = newFile();
    const newer = new Database(path);
    newer.exec('PRAGMA user_version = 99; ALTER TABLE session ADD COLUMN flavour TEXT');
    newer.close();
    const before = readFileSync(path);
    {
      await using store = sqliteStore({ path });
      await expect(store.log().list()).rejects.toMatchObject({
        code: 'store_incompatible',
        message: expect.stringContaining('newer Parley (schema 99'),
      });
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('that cannot be opened is tried again by the next call', async () => {
    const path = newPath();
    writeFileSync(dirname(path), 'in the way');
    await using store = sqliteStore({ path });
    await expect(store.log().list()).rejects.toMatchObject({ code: 'store_unavailable' });
    rmSync(dirname(path));
    mkdirSync(path, { recursive: true });
    await expect(store.log().list()).rejects.toMatchObject({ code: 'store_unavailable' });
    rmSync(path, { recursive: true });
    expect(await store.log().list()).toEqual({ sessions: [], nextCursor: null });
  });

  it('that cannot be opened is asked ever less often for news, each time with a thread of its own', async () => {
    const path = newFile();
    writeFileSync(path, 'no database'.repeat(1000));
    const threads = 12;
    const started = new Promise<void>((resolve) => {
      let count = 0;
      const onThread = (): void => {
        count += 1;
        if (count < threads) return;
        process.off('worker', onThread);
        resolve();
      };
      process.on('worker', onThread);
    });
    await using store = sqliteStore({ path });
    const startedAt = performance.now();
    const stop = store.log().watch('s', () => {});
    await started;
    // Without pauses that grow, so many need less than a second.
    expect(performance.now() - startedAt).toBeGreaterThan(1200);
    stop();
  });

  it('that was moved away while in use acknowledges nothing more, and goes on when it is back', async () => {
    const path = newFile();
    await using store = sqliteStore({ path });
    const log = store.log();
    await log.append('s', numbered(4, 4));
    renameSync(path, `${path}.moved`);
    await expect(log.append('s', numbered(5, 5))).rejects.toMatchObject({ code: 'store_io' });
    // The write-ahead log that stayed behind holds events: a new file in its place would lose them.
    await expect(log.append('s', numbered(5, 5))).rejects.toMatchObject({ code: 'store_corrupt' });
    renameSync(`${path}.moved`, path);
    await log.append('s', numbered(6, 6));
    const found = await bodies(log);
    expect(found.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(found.at(-1)).toBe(6);
  });

  it('that was replaced while in use is not mixed with what took its place', async () => {
    const path = newFile();
    const other = newPath();
    const before = sqliteStore({ path: other });
    await before.log().create({ id: 'other', cwd: '/proj' });
    await before.log().append('other', numbered(1, 2));
    await before.close();

    await using store = sqliteStore({ path });
    const log = store.log();
    await log.append('s', numbered(4, 4));
    renameSync(other, path);
    await expect(log.append('s', numbered(5, 5))).rejects.toMatchObject({ code: 'store_io' });
    const refusal = { code: 'store_corrupt', message: expect.stringContaining('put the old file back') };
    await expect(log.append('s', numbered(5, 5))).rejects.toMatchObject(refusal);
    await expect(bodies(log, 'other')).rejects.toMatchObject(refusal);
    for (const end of ['-wal', '-shm']) renameSync(`${path}${end}`, `${path}.old${end}`);
    expect(await bodies(log, 'other')).toEqual([1, 2]);
    await expect(log.append('s', numbered(5, 5))).rejects.toMatchObject({ code: 'session_not_found' });
    expect(await log.append('other', numbered(3, 3))).toEqual({ first: 3, last: 3 });
  });

  it('that was moved away and put back, with all that belongs to it, goes on without losing anything', async () => {
    const path = newFile();
    await using store = sqliteStore({ path });
    const log = store.log();
    await log.append('s', numbered(4, 4));
    const files = ['', '-wal', '-shm'].map((end) => `${path}${end}`);
    for (const file of files) renameSync(file, file.replace('sessions.db', 'away.db'));
    await expect(log.append('s', numbered(5, 5))).rejects.toMatchObject({ code: 'store_io' });
    await expect(log.append('s', numbered(5, 5))).rejects.toMatchObject({ code: 'session_not_found' });
    await log.create({ id: 'meanwhile', cwd: '/proj' });

    for (const file of files) renameSync(file.replace('sessions.db', 'away.db'), file);
    await expect(log.append('s', numbered(5, 5))).rejects.toMatchObject({ code: 'store_io' });
    expect(await bodies(log)).toEqual([1, 2, 3, 4]);
    expect(await log.append('s', numbered(5, 5))).toMatchObject({ last: 5 });
    await using other = sqliteStore({ path });
    expect(await bodies(other.log())).toEqual([1, 2, 3, 4, 5]);
  });

  it('that was deleted while in use is not read as if it were still there', async () => {
    const path = newFile();
    await using store = sqliteStore({ path });
    const log = store.log();
    expect(await bodies(log)).toEqual([1, 2, 3]);
    rmSync(dirname(path), { recursive: true });
    await expect(bodies(log)).rejects.toMatchObject({ code: 'store_io' });
    await expect(bodies(log)).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it.each(['-wal', '-shm'])('whose %s was deleted while in use loses nothing that was acknowledged', async (end) => {
    const path = newFile();
    await using store = sqliteStore({ path });
    const log = store.log();
    await log.append('s', numbered(4, 4));
    rmSync(`${path}${end}`);
    await expect(log.append('s', numbered(5, 5))).rejects.toMatchObject({
      code: 'store_io',
      message: expect.stringContaining('a file that belongs to it'),
    });
    expect(await bodies(log)).toEqual([1, 2, 3, 4]);
    // Another process would have begun with files of its own, and not have seen the locks of this one.
    await using other = sqliteStore({ path });
    expect(await bodies(other.log())).toEqual([1, 2, 3, 4]);
    await other.log().append('s', numbered(5, 5));
    await log.append('s', numbered(6, 6));
    expect(await bodies(log)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('that was emptied keeps its write-ahead log, and with it what was acknowledged', async () => {
    const path = newFile();
    const copy = newPath();
    mkdirSync(dirname(copy), { recursive: true });
    {
      await using store = sqliteStore({ path });
      await store.log().append('s', numbered(4, 4));
      for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${copy}${end}`);
    }
    copyFileSync(copy, `${copy}.good`);
    truncateSync(copy);
    const wal = readFileSync(`${copy}-wal`);
    await using store = sqliteStore({ path: copy });
    await expect(store.log().list()).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(readFileSync(`${copy}-wal`).equals(wal)).toBe(true);
    renameSync(`${copy}.good`, copy);
    expect(await bodies(store.log())).toEqual([1, 2, 3, 4]);
  });

  it('that a session has filled with numbers takes no more events into it', async () => {
    const path = newFile();
    const database = new Database(path);
    database.exec(
      'UPDATE session SET head = 4294967294; UPDATE event SET place = (1 << 32 | 4294967294) WHERE place = (1 << 32 | 3)',
    );
    database.close();
    await using store = sqliteStore({ path });
    const log = store.log();
    await log.create({ id: 'next', cwd: '/proj' });
    await log.append('next', numbered(1, 2));
    await expect(log.append('s', numbered(1, 2))).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await log.append('s', numbered(1, 1))).toEqual({ first: 4_294_967_295, last: 4_294_967_295 });
    const last = await collect(log.read('s', { after: 4_294_967_294 }));
    expect(last.map(({ seq, body }) => [seq, body])).toEqual([[4_294_967_295, 1]]);
    expect(await bodies(log, 'next')).toEqual([1, 2]);
  });

  it('that another program keeps locked is reported as busy, and free later', async () => {
    const path = newFile();
    const options: SqliteStoreOptions = { path, busyTimeoutMs: 20 };
    await using store = sqliteStore(options);
    const log = store.log();
    await log.append('s', numbered(4, 4));
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    await expect(log.append('s', numbered(5, 5))).rejects.toMatchObject({ code: 'store_busy' });
    expect(await bodies(log)).toEqual([1, 2, 3, 4]);
    other.exec('COMMIT');
    other.close();
    await log.append('s', numbered(5, 5));
    expect(await bodies(log)).toEqual([1, 2, 3, 4, 5]);
  });

  it('that another program keeps locked can be read all the same, without waiting', async () => {
    const path = newFile();
    await using store = sqliteStore({ path, busyTimeoutMs: 60_000 });
    expect(await bodies(store.log())).toEqual([1, 2, 3]);
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    for (const _ of range(1, 5)) expect(await bodies(store.log())).toEqual([1, 2, 3]);
    other.exec('COMMIT');
    other.close();
  });
});
