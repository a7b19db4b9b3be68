import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { sqliteStore } from '../src/sqlite/sqlite-store.ts';
import { collect, numbered, range } from './cases/collect.ts';
import { temporaryPaths } from './temporary-folder.ts';

const newPath = temporaryPaths();

describe('the SQLite file', () => {
  it('is made by the first call, for its owner only', async () => {
    const path = newPath();
    await using store = sqliteStore({ path });
    const log = store.log();
    expect(existsSync(dirname(path))).toBe(false);
    await log.create({ id: 's', cwd: '/proj' });
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dirname(path))) {
      expect([name, statSync(join(dirname(path), name)).mode & 0o777]).toEqual([name, 0o600]);
    }
  });

  it('keeps everything for the next process', async () => {
    const path = newPath();
    const first = sqliteStore({ path });
    const log = first.log('me');
    await log.create({ id: 's', cwd: '/proj', title: 'Title', metadata: { a: 1 } });
    const { epoch } = await log.acquire('s', { owner: 'o', leaseMs: 1_000_000 });
    await log.append('s', numbered(1, 600), { epoch, once: { key: 'k', outcome: 'done' } });
    const before = await log.get('s');
    const eventsBefore = await collect(log.read('s'));
    await first.close();
    expect(readdirSync(dirname(path))).toEqual(['sessions.db']);

    await using second = sqliteStore({ path });
    const again = second.log('me');
    expect(await again.get('s')).toEqual(before);
    expect(await collect(again.read('s'))).toEqual(eventsBefore);
    expect(await again.inbound('s', 'k')).toEqual({ key: 'k', outcome: 'done' });
    expect(await again.append('s', numbered(601, 601), { epoch })).toEqual({ first: 601, last: 601 });
  });

  it('lets the events of removed sessions go, also those left over by an earlier process', async () => {
    const path = newPath();
    const first = sqliteStore({ path });
    await first.log().create({ id: 'large', cwd: '/proj' });
    await first.log().create({ id: 'small', cwd: '/proj' });
    await first.log().append('large', numbered(1, 9000));
    await first.log().append('small', numbered(1, 10));
    void first.log().remove('large');
    await first.close();

    const second = sqliteStore({ path });
    const log = second.log();
    const database = new Database(path);
    const count = database.prepare('SELECT count(*) FROM event').raw();
    do await log.head('small');
    while ((count.get([]) as [number])[0] > 10);
    expect((await collect(log.read('small'))).map(({ body }) => body)).toEqual(range(1, 10));
    await second.close();
    expect(database.prepare('SELECT count(*) FROM removal').raw().get([])).toEqual([0]);
    database.close();
  });

  it('lets the events go that were trimmed away, also those left over by an earlier process', async () => {
    const path = newPath();
    const first = sqliteStore({ path });
    await first.log().create({ id: 's', cwd: '/proj', events: numbered(1, 9000) });
    await first.log().create({ id: 'gone', cwd: '/proj', events: numbered(1, 9000) });
    const summary = { kind: 'summary', body: 'gone' };
    void first.log().trim('gone', { before: 8000, summary });
    void first.log().remove('gone');
    void first.log().trim('s', { before: 8991, summary });
    await first.close();

    const second = sqliteStore({ path });
    const log = second.log();
    const database = new Database(path);
    const count = database.prepare('SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM trimming)').raw();
    do await log.head('s');
    while ((count.get([]) as [number])[0] > 11);
    expect((await collect(log.read('s'))).map(({ seq }) => seq)).toEqual(range(8990, 9000));
    await second.close();
    database.close();
  });

  it('moves a file of schema version 1 to the current one', async () => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    const old = new Database(path);
    old.exec(readFileSync(new URL('fixtures/version-1.sql', import.meta.url), 'utf8'));
    old.close();

    await using store = sqliteStore({ path, now: () => 1_700_000_010_000 });
    const log = store.log();
    const { sessions } = await log.list({ archived: 'include' });
    expect(
      sessions.map(({ id, title, head, parentId, isArchived }) => ({ id, title, head, parentId, isArchived })),
    ).toEqual([
      { id: 'first', title: 'Fix the build', head: 3, parentId: null, isArchived: false },
      { id: 'second', title: null, head: 0, parentId: null, isArchived: true },
    ]);
    expect((await collect(log.read('first'))).map(({ kind, body }) => [kind, body])).toEqual([
      ['prompt', 'hello'],
      ['text', { a: 11 }],
      ['end', 'the end'],
    ]);
    expect(await log.inbound('first', 'k1')).toEqual({ key: 'k1', outcome: { stopReason: 'end_turn' } });
    expect((await log.get('first'))?.lease).toEqual({ owner: 'editor', epoch: 1, leaseUntilMs: 1_700_000_020_000 });
    await log.append('first', numbered(4, 4), { epoch: 1 });
    expect(await log.get('first')).toMatchObject({ trimmedTo: 0, bytes: 25 });
    expect(await log.fork('first', { id: 'third' })).toMatchObject({ head: 4, parentId: 'first' });
    // Version 1 kept questions in a table of their own; they go with their session.
    const countRequests = (): unknown => {
      const database = new Database(path);
      const count = database.prepare('SELECT count(*) FROM request').raw().get([]);
      database.close();
      return count;
    };
    expect(countRequests()).toEqual([2]);
    expect(await log.remove('first')).toBe(true);
    expect(countRequests()).toEqual([0]);
  });
});
