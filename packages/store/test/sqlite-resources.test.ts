import { readdirSync, readlinkSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { needs, PROC } from '@parley/testing/needs';
import { describe, expect, it } from 'vitest';
import { sqliteStore } from '../src/sqlite/sqlite-store.ts';
import { collect, numbered, range } from './cases/collect.ts';
import { temporaryPaths } from './temporary-folder.ts';

const newPath = temporaryPaths();

/** The files below a folder that this process holds open. */
function openFiles(folder: string): string[] {
  const links = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // The one that was opened for this very look.
      return '';
    }
  });
  return links.filter((path) => path.startsWith(`${folder}/`));
}

function countThreads(): number {
  return readdirSync('/proc/self/task').length;
}

describe('what a SQLite store holds', needs(PROC), () => {
  it('is let go when it closes, even right after the first call', async () => {
    const path = newPath();
    const store = sqliteStore({ path });
    await store.log().list();
    await store.close();
    const threads = countThreads();
    for (const n of range(1, 10)) {
      const again = sqliteStore({ path });
      let isDone = false;
      void again
        .log()
        .create({ id: `s${n}`, cwd: '/proj' })
        .then(() => {
          isDone = true;
        });
      await again.close();
      expect([n, isDone]).toEqual([n, true]);
      expect(openFiles(dirname(path))).toEqual([]);
    }
    expect(countThreads()).toBeLessThan(threads + 5);
    expect(readdirSync(dirname(path))).toEqual(['sessions.db']);
  });

  it('does not grow with every fault', async () => {
    const path = newPath();
    await using store = sqliteStore({ path });
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    const files = openFiles(dirname(path)).length;
    for (const n of range(1, 6)) {
      renameSync(path, `${path}.moved`);
      await expect(log.append('s', numbered(n, n))).rejects.toMatchObject({ code: 'store_io' });
      renameSync(`${path}.moved`, path);
      expect(await log.append('s', numbered(n, n))).toMatchObject({ last: n });
      expect(openFiles(dirname(path)).length).toBe(files);
    }
    expect((await collect(log.read('s'))).map(({ body }) => body)).toEqual(range(1, 6));
  });

  it('is nothing more after many calls fell into one fault', async () => {
    const path = newPath();
    const store = sqliteStore({ path });
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    renameSync(path, `${path}.moved`);
    const results = await Promise.allSettled(range(1, 200).map(() => log.head('s')));
    expect(new Set(results.map((result) => result.status === 'rejected' && result.reason.code))).toEqual(
      new Set(['store_io']),
    );
    expect(openFiles(dirname(path)).length).toBeLessThanOrEqual(4);
    await store.close();
    expect(openFiles(dirname(path))).toEqual([]);
  });

  it('is a write-ahead log of a few megabytes at most, however much is written', async () => {
    const path = newPath();
    await using store = sqliteStore({ path });
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    const events = Array(20).fill({ kind: 'text', body: 'x'.repeat(10_000) });
    const sizes: number[] = [];
    for (const _ of range(1, 100)) {
      await log.append('s', events);
      sizes.push(statSync(`${path}-wal`).size);
    }
    expect(Math.max(...sizes)).toBeLessThan(8_000_000);
    expect(statSync(path).size).toBeGreaterThan(10_000_000);
    expect(await log.head('s')).toBe(2000);
  });
});
