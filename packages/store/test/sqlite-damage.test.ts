import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { beforeAll, describe, expect, it } from 'vitest';
import { type SessionLog, StoreError } from '../src/index.ts';
import { sqliteStore } from '../src/sqlite/sqlite-store.ts';
import { collect, numbered, range } from './cases/collect.ts';
import { pseudoRandom } from './pseudo-random.ts';
import { temporaryPaths } from './temporary-folder.ts';

const ROUNDS = 24;
const EVENTS = 60;
const newPath = temporaryPaths();

const original = newPath();
beforeAll(async () => {
  await using store = sqliteStore({ path: original });
  const log = store.log();
  for (const id of ['a', 'b']) {
    await log.create({ id, cwd: '/proj', title: `Title of ${id}`, metadata: { state: id } });
    const events = range(1, EVENTS).map((n) => ({ kind: 'text', body: { n, text: `${id} word `.repeat(30) } }));
    await log.append(id, events, { once: { key: 'key', outcome: { done: true } } });
  }
});

function newFile(change: (content: Buffer) => Buffer): string {
  const path = newPath();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, change(readFileSync(original)));
  return path;
}

/** Everything that can be done with a session. What comes back is right in form, or a clear error. */
async function useAll(log: SessionLog, id: string): Promise<void> {
  const attempts: (() => Promise<unknown>)[] = [
    () => log.list(),
    () => log.get(id),
    () => readDensely(log, id),
    () => log.inbound(id, 'key'),
    () => log.acquire(id, { owner: 'me' }),
    () => log.append(id, numbered(1, 1), { epoch: 1 }),
    () => log.fork(id, { id: `${id}-copy` }),
    () => log.append(id, numbered(2, 2), { isInput: true }),
    () => log.remove(id),
  ];
  for (const attempt of attempts) {
    await attempt().catch((error: unknown) => {
      expect(error).toBeInstanceOf(StoreError);
      expect((error as StoreError).code).toMatch(/^(store_corrupt|session_not_found|stale_owner)$/);
    });
  }
}

async function readDensely(log: SessionLog, id: string): Promise<void> {
  const events = await collect(log.read(id));
  expect(events.map(({ seq }) => seq)).toEqual(range(1, events.length));
  expect(events.length).toBe(EVENTS);
}

describe('a damaged SQLite file', () => {
  it('gives what is right or a clear error, wherever bits have flipped', async () => {
    const random = pseudoRandom(11);
    for (const round of range(1, ROUNDS)) {
      const path = newFile((content) => {
        for (let flips = round % 2 === 0 ? 1 : 20; flips > 0; flips--) {
          const at = Math.floor(random() * content.length);
          content.writeUInt8(content.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
        }
        return content;
      });
      await using store = sqliteStore({ path });
      await useAll(store.log(), round % 3 === 0 ? 'a' : 'b');
    }
  });

  it('gives what is right or a clear error, wherever it is cut off', async () => {
    const random = pseudoRandom(12);
    for (let round = 0; round < 4; round++) {
      const path = newFile((content) => content.subarray(0, Math.floor(random() * content.length)));
      await using store = sqliteStore({ path });
      await useAll(store.log(), 'a');
    }
  });

  it.each([
    ['text that is not UTF-8', '\xff'],
    ['a body that is not JSON', '}'],
  ])('reports %s, without ending the process', async (_, replacement) => {
    const path = newFile((content) => {
      content.write(replacement, content.indexOf('"text":"b word'), 'latin1');
      return content;
    });
    await using store = sqliteStore({ path });
    const [sound, damaged, record] = await Promise.allSettled([
      collect(store.log().read('a')),
      collect(store.log().read('b')),
      store.log().get('b'),
    ]);
    expect(sound).toMatchObject({ value: { length: EVENTS } });
    expect(damaged).toMatchObject({ reason: { code: 'store_corrupt' } });
    expect(record).toMatchObject({ value: { head: EVENTS } });
  });

  it.each([
    ['in the middle', 'DELETE FROM event WHERE place = (1 << 32 | 30)'],
    ['at the end', 'DELETE FROM event WHERE place > (1 << 32 | 30) AND place < (2 << 32)'],
    ['altogether', 'DELETE FROM event'],
  ])('reports events that are missing %s instead of skipping them', async (_, sql) => {
    const path = newFile((content) => content);
    const database = new Database(path);
    database.exec(sql);
    database.close();
    await using store = sqliteStore({ path, limits: { maxPageEvents: 7 } });
    await expect(collect(store.log().read('a'))).rejects.toMatchObject({ code: 'store_corrupt' });
    await expect(collect(store.log().follow('a'))).rejects.toMatchObject({ code: 'store_corrupt' });
  });

  it('takes no more events into a session that it could not read, until it can', async () => {
    const path = newFile((content) => content);
    const damaged = newFile((content) => content);
    const database = new Database(damaged);
    database.exec('DELETE FROM event WHERE place = (1 << 32 | 30)');
    database.close();
    copyFileSync(damaged, path);
    await using store = sqliteStore({ path });
    const log = store.log();
    await expect(collect(log.read('a'))).rejects.toMatchObject({ code: 'store_corrupt' });
    await expect(log.append('a', numbered(1, 1))).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(await log.head('a')).toBe(EVENTS);
    expect(await log.append('b', numbered(1, 1))).toMatchObject({ last: EVENTS + 1 });
    await store.close();

    copyFileSync(original, path);
    await using restored = sqliteStore({ path });
    expect(await restored.log().append('a', numbered(1, 1))).toMatchObject({ last: EVENTS + 1 });
  });

  it('whose end was cut off while its log was there takes no more events once that was seen', async () => {
    const path = newFile((content) => content);
    const copy = newPath();
    mkdirSync(dirname(copy), { recursive: true });
    {
      await using store = sqliteStore({ path });
      await store.log().append('b', numbered(1, 1));
      for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${copy}${end}`);
    }
    truncateSync(copy, 4 * 4096);
    await using store = sqliteStore({ path: copy });
    const log = store.log();
    for (const id of ['a', 'b']) {
      const isRead = await collect(log.read(id)).then(
        () => true,
        () => false,
      );
      const isWritten = await log.append(id, numbered(1, 1)).then(
        () => true,
        () => false,
      );
      expect([id, isWritten]).toEqual([id, isRead]);
    }
  });

  it('lets the events of a removed session rest where they cannot be deleted, and disturbs nobody', async () => {
    const path = newFile((content) => {
      const page = Math.floor(content.lastIndexOf('b word') / 4096) * 4096;
      return content.fill(0xff, page, page + 4096);
    });
    await using store = sqliteStore({ path });
    const log = store.log();
    await expect(collect(log.read('b'))).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(await log.remove('b')).toBe(true);
    for (const n of range(1, 20)) {
      await log.append('a', numbered(n, n));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await log.head('a')).toBe(EVENTS + 20);
  });

  it('whose write-ahead log was damaged keeps what came before', async () => {
    const path = newPath();
    const copy = newPath();
    mkdirSync(dirname(copy), { recursive: true });
    {
      await using store = sqliteStore({ path });
      await store.log().create({ id: 's', cwd: '/proj' });
      for (const n of range(1, 40)) await store.log().append('s', numbered(n, n));
      for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${copy}${end}`);
    }
    const wal = readFileSync(`${copy}-wal`);
    const random = pseudoRandom(13);
    for (let round = 0; round < 8; round++) {
      const damaged = newPath();
      mkdirSync(dirname(damaged), { recursive: true });
      copyFileSync(copy, damaged);
      writeFileSync(`${damaged}-wal`, wal);
      const at = Math.floor(random() * wal.length);
      if (round % 2 === 0) truncateSync(`${damaged}-wal`, at);
      else
        writeFileSync(
          `${damaged}-wal`,
          Buffer.concat([wal.subarray(0, at), Buffer.from([1, 2, 3]), wal.subarray(at + 3)]),
        );
      await using store = sqliteStore({ path: damaged });
      const session = await store.log().get('s');
      if (!session) continue;
      const bodies = (await collect(store.log().read('s'))).map(({ body }) => body);
      expect(bodies).toEqual(range(1, session.head));
      expect(await store.log().append('s', numbered(0, 0))).toMatchObject({ last: session.head + 1 });
    }
  });
});
