import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../src/memory/memory-store.ts';
import { sqliteStore } from '../src/sqlite/sqlite-store.ts';
import { collect, numbered, range } from './cases/collect.ts';
import { StoreProcess } from './store-process.ts';
import { temporaryPaths } from './temporary-folder.ts';
import { useProgram } from './use-program.ts';

const newPath = temporaryPaths();
const programFile = useProgram('take-commands');

function modesIn(folder: string): (readonly [string, string])[] {
  return readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)] as const);
}

describe('the path of the SQLite file', () => {
  it('is private with all that lies beside it, whatever the process lets others see by default', async () => {
    const path = newPath();
    const command = ['/bin/sh', '-c', 'umask 000; exec "$0" "$@"'];
    await using child = new StoreProcess(programFile(), path, command);
    await child.ask('create s');
    await child.ask('append s text');
    expect(modesIn(dirname(path))).toEqual([
      ['sessions.db', '600'],
      ['sessions.db-shm', '600'],
      ['sessions.db-wal', '600'],
    ]);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  });

  it.each(['with spaces', 'a#b?c=d&e%20f', 'quotes\'"`', 'new\nline', 'ünï 😀', '-dash', 'file:x'])(
    'may lead through %j',
    async (name) => {
      const path = join(dirname(newPath()), name, 'sessions.db');
      const first = sqliteStore({ path });
      await first.log().create({ id: 's', cwd: '/proj' });
      await first.log().append('s', numbered(1, 3));
      await first.close();
      expect(existsSync(path)).toBe(true);
      await using second = sqliteStore({ path });
      expect(await second.log().head('s')).toBe(3);
    },
  );

  it.each([true, false])('may be a link, whether or not the file it leads to is there: %j', async (isThere) => {
    const target = newPath();
    const link = newPath();
    for (const path of [target, link]) mkdirSync(dirname(path), { recursive: true });
    if (isThere) await useOnce(target);
    symlinkSync(relative(dirname(link), target), link);
    await useOnce(link);
    await using store = sqliteStore({ path: link });
    await store.log().append('s', numbered(0, 0));
    expect(modesIn(dirname(target)).map(([name]) => name)).toEqual([
      'sessions.db',
      'sessions.db-shm',
      'sessions.db-wal',
    ]);
    expect(new Set(modesIn(dirname(target)).map(([, mode]) => mode))).toEqual(new Set(['600']));
    expect(readdirSync(dirname(link))).toEqual(['sessions.db']);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    await using direct = sqliteStore({ path: target });
    expect(await direct.log().head('s')).toBe(await store.log().head('s'));
  });

  it('lets followers through a link see what another process writes', async () => {
    const target = newPath();
    const link = newPath();
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
    await using store = sqliteStore({ path: link, pollIntervalMs: 5 });
    await store.log().create({ id: 's', cwd: '/proj' });
    const following = collectSome(store.log().follow('s'), 3);
    await using other = sqliteStore({ path: target });
    for (const n of range(1, 3)) await other.log().append('s', numbered(n, n));
    expect(await following).toEqual([1, 2, 3]);
  });

  it('stays the same when the process changes its directory', async () => {
    const folder = dirname(newPath());
    mkdirSync(folder, { recursive: true });
    await using child = new StoreProcess(programFile(), 'sessions.db', ['env', '-C', folder]);
    await child.ask('chdir /');
    await child.ask('create s');
    expect(await child.ask('append s text')).toEqual({ result: 1 });
    expect(existsSync(join(folder, 'sessions.db'))).toBe(true);
  });

  it.each(['', ':memory:', 'file:sessions.db?mode=memory', 'a\0b'])('is refused when it is %j', (path) => {
    expect(() => sqliteStore({ path })).toThrowError(expect.objectContaining({ code: 'invalid_input' }));
  });

  it.each(['/dev/null', '/dev/full', '/'])('is refused when it is %s', async (path) => {
    await using store = sqliteStore({ path });
    await expect(store.log().list()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: `${path} is not a file; name another one for the session store.`,
    });
  });

  it('is refused when it is a link to itself', async () => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync('sessions.db', path);
    await using store = sqliteStore({ path });
    await expect(store.log().list()).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it.each([0, -1, 1.5, Number.NaN])('comes with whole numbers from 1 on, and not with %d', (number) => {
    for (const name of ['maxBytes', 'busyTimeoutMs', 'pollIntervalMs']) {
      expect(() => sqliteStore({ path: newPath(), [name]: number })).toThrowError(
        expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(name) }),
      );
    }
    expect(() => memoryStore({ maxBytes: number })).toThrowError(expect.objectContaining({ code: 'invalid_input' }));
  });

  it('is left alone when it holds something else', async () => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'Buy milk.\n');
    await using store = sqliteStore({ path });
    await expect(store.log().list()).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(readFileSync(path, 'utf8')).toBe('Buy milk.\n');
    expect(readdirSync(dirname(path))).toEqual(['sessions.db']);
  });
});

async function useOnce(path: string): Promise<void> {
  await using store = sqliteStore({ path });
  const log = store.log();
  if (!(await log.get('s'))) await log.create({ id: 's', cwd: '/proj' });
  await log.append('s', numbered(1, 2));
  expect((await collect(log.read('s'))).length).toBeGreaterThanOrEqual(2);
}

async function collectSome(events: AsyncIterable<{ readonly body: unknown }>, count: number): Promise<unknown[]> {
  const bodies: unknown[] = [];
  for await (const { body } of events) if (bodies.push(body) === count) break;
  return bodies;
}
