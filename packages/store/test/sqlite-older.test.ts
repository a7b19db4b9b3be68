import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { APPLICATION_ID, MIGRATIONS } from '../src/sqlite/schema.ts';
import { sqliteStore } from '../src/sqlite/sqlite-store.ts';
import { collect, numbered } from './cases/collect.ts';
import { temporaryPaths } from './temporary-folder.ts';

const newPath = temporaryPaths();

const OLDER = MIGRATIONS.map((_, version) => version).slice(1);

/** A file as an earlier version left it, with a session of two events. */
function writeOlder(version: number): string {
  const path = newPath();
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  database.exec('PRAGMA journal_mode = WAL');
  for (const step of MIGRATIONS.slice(0, version)) database.exec(step);
  database.exec(`
    PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version};
    INSERT INTO session (principal, id, cwd, title, metadata, created_ms, updated_ms, head, bytes)
      VALUES ('local', 's', '/proj', '"Old"', '{}', 1, 2, 2, 2);
    INSERT INTO event VALUES (1 << 32 | 1, 0, 1, 'number', 1, '1'), (1 << 32 | 2, 0, 2, 'number', 2, '2');
    INSERT INTO inbound VALUES (1, 'key', '"done"')`);
  database.close();
  return path;
}

function versionOf(path: string): unknown {
  const database = new Database(path);
  const [version] = database.prepare('PRAGMA user_version').raw().get([]) as [unknown];
  database.close();
  return version;
}

describe.each(OLDER)('a file of schema version %s', (version) => {
  it('is read as it is: an earlier version can still use it', async () => {
    const path = writeOlder(version);
    const store = sqliteStore({ path });
    const log = store.log();
    expect((await log.list()).sessions).toMatchObject([
      { id: 's', title: 'Old', head: 2, trimmedTo: 0, parentId: null },
    ]);
    expect(await log.get('s')).toMatchObject({ bytes: 2, isHeld: false });
    expect((await collect(log.read('s'))).map(({ body }) => body)).toEqual([1, 2]);
    expect(await log.inbound('s', 'key')).toEqual({ key: 'key', outcome: 'done' });
    expect(await store.principals()).toEqual(['local']);
    await store.check();
    await store.close();
    expect(versionOf(path)).toBe(version);
  });

  it('is moved forward by the first write, also after it was read', async () => {
    const path = writeOlder(version);
    await using store = sqliteStore({ path });
    const log = store.log();
    expect(await log.head('s')).toBe(2);
    expect(await log.append('s', numbered(3, 3))).toEqual({ first: 3, last: 3 });
    await log.trim('s', { before: 3, summary: { kind: 'summary', body: 'gone' } });
    expect((await collect(log.read('s'))).map(({ body }) => body)).toEqual(['gone', 3]);
    expect(versionOf(path)).toBe(MIGRATIONS.length);
  });

  it('shows a reader what another process writes after it has moved the file forward', async () => {
    const path = writeOlder(version);
    await using reader = sqliteStore({ path });
    const log = reader.log();
    expect(await log.head('s')).toBe(2);
    await using writer = sqliteStore({ path });
    await writer.log().append('s', numbered(3, 3));
    await writer.log().trim('s', { before: 3, summary: { kind: 'summary', body: 'gone' } });
    expect(await log.get('s')).toMatchObject({ head: 3, trimmedTo: 2 });
    expect((await collect(log.read('s'))).map(({ body }) => body)).toEqual(['gone', 3]);
  });
});

it('a file that is new has no tables before the first write', async () => {
  const path = newPath();
  const store = sqliteStore({ path });
  expect((await store.log().list()).sessions).toEqual([]);
  expect(await store.log().get('s')).toBeUndefined();
  await store.close();
  expect(versionOf(path)).toBe(0);
  await using again = sqliteStore({ path });
  await again.log().create({ id: 's', cwd: '/proj' });
  expect(versionOf(path)).toBe(MIGRATIONS.length);
});

it('a file with tables whose version was lost is refused, and not taken for an empty one', async () => {
  const path = writeOlder(MIGRATIONS.length);
  const database = new Database(path);
  database.exec('PRAGMA user_version = 0');
  database.close();
  await using store = sqliteStore({ path });
  await expect(store.log().list()).rejects.toMatchObject({
    code: 'store_corrupt',
    message: expect.stringContaining('no version'),
  });
});
