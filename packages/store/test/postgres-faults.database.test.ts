import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { needs } from '@parley/testing/needs';
import { POSTGRES } from '@parley/testing/postgres';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { postgresStore } from '../src/postgres/postgres-store.ts';
import { MIGRATIONS } from '../src/postgres/schema.ts';
import { collect, numbered, range } from './cases/collect.ts';
import { usePostgres } from './places.ts';

describe('a PostgreSQL server', needs(POSTGRES), () => {
  const server = usePostgres({ settings: { max_connections: 25 } });
  const open = async (options: Partial<Parameters<typeof postgresStore>[0]> = {}) => {
    const url = await server().newDatabase();
    return { url, store: postgresStore({ url, poolSize: 3, ...options }) };
  };

  it('that is killed and started again loses nothing and repeats nothing; calls wait for it', async () => {
    await using store = (await open({ retryMs: 60_000 })).store;
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    await log.append('s', numbered(1, 5));
    await server().kill();
    const waiting = range(6, 20).map((n) => log.append('s', numbered(n, n)));
    const following = (async () => {
      for await (const { seq } of log.follow('s')) if (seq === 20) return seq;
      return 0;
    })();
    await server().start();
    expect((await Promise.all(waiting)).map(({ last }) => last)).toEqual(range(6, 20));
    expect(await following).toBe(20);
    expect((await collect(log.read('s'))).map(({ body }) => body)).toEqual(range(1, 20));
  });

  it('that is away for longer fails calls in words, without a password, and is used again when it is back', async () => {
    const { url } = await open();
    const withPassword = url.replace('parley@', 'parley:s3cret-word@');
    await using store = postgresStore({ url: withPassword, poolSize: 2, retryMs: 200 });
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    await server().kill();
    const error = (await log.append('s', numbered(1, 1)).catch((reason: unknown) => reason)) as Error;
    expect(error).toMatchObject({ code: 'store_unavailable' });
    expect(error.message).toContain('check that the server runs');
    expect(error.message).toContain('Nothing of this call was saved.');
    expect(error.message).not.toContain('s3cret');
    const startedAt = performance.now();
    await expect(log.get('s')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    await server().start();
    expect(await log.append('s', numbered(1, 1))).toEqual({ first: 1, last: 1 });
  });

  it('whose answer to a commit is lost is asked what became of it: nothing is done twice', async () => {
    const { url } = await open();
    await using proxy = await cuttingProxy(Number(new URL(url).port));
    await using store = postgresStore({ url: url.replace(/:\d+\//, `:${proxy.port}/`), poolSize: 1, retryMs: 60_000 });
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    for (const n of range(1, 10)) {
      proxy.cutAfterCommit();
      expect(await log.append('s', numbered(n, n))).toEqual({ first: n, last: n });
    }
    expect(proxy.cuts).toBe(10);
    expect((await collect(log.read('s'))).map(({ body }) => body)).toEqual(range(1, 10));
  });

  it('that crashes before a commit has reached its disk, and gives its number to another, is not believed: it is done again', async () => {
    const { url } = await open();
    const database = new URL(url).pathname.slice(1);
    await using proxy = await cuttingProxy(Number(new URL(url).port));
    const through = url.replace(/:\d+\//, `:${proxy.port}/`);
    await using store = postgresStore({ url: through, poolSize: 1, retryMs: 60_000 });
    await using other = postgresStore({ url });
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    await other.log().create({ id: 'other', cwd: '/proj' });
    const changes: Record<string, () => Promise<unknown>> = {
      append: () => log.append('s', numbered(1, 2)),
      acquire: () => log.acquire('s', { owner: 'me' }),
      renew: () => log.renew('s', { epoch: 1, leaseMs: 60_000 }),
      release: () => log.release('s', { epoch: 1 }),
      create: () => log.create({ id: 'new', cwd: '/proj' }),
      fork: () => log.fork('s', { id: 'forked' }),
      update: () => log.update('s', { title: 'changed' }),
      remove: () => log.remove('new'),
    };
    /** Kills the server when a commit is on its way; what others do before the store can reach it again. */
    const crashInCommit = (isGivenOut: boolean): Promise<void> =>
      proxy.cutBeforeCommit(async () => {
        const xid = BigInt(await server().sql('SELECT max(backend_xid::text::bigint) FROM pg_stat_activity', database));
        await server().kill();
        await server().start();
        // The numbers that are given out anew, up to the one whose commit never came.
        while (isGivenOut && BigInt(await server().sql('SELECT pg_current_xact_id()', database)) <= xid);
      });
    for (const [name, change] of Object.entries(changes)) {
      const changed = crashInCommit(true);
      await change();
      await changed;
      const found = await other.log().get('s');
      const seen = {
        append: found?.head === 2,
        acquire: found?.isHeld === true,
        renew: found?.isHeld === true,
        release: found?.isHeld === false,
        create: (await other.log().get('new')) !== undefined,
        fork: (await other.log().get('forked'))?.head === 2,
        update: found?.title === 'changed',
        remove: (await other.log().get('new')) === undefined,
      };
      expect({ name, isThere: seen[name as keyof typeof seen] }).toEqual({ name, isThere: true });
    }
    void crashInCommit(false);
    expect(await log.append('s', numbered(3, 3))).toEqual({ first: 3, last: 3 });
    expect((await collect(other.log().read('s'))).map(({ body }) => body)).toEqual([1, 2, 3]);
  });

  it('makes its tables once when several programs start at the same moment', async () => {
    const url = await server().newDatabase();
    const stores = range(1, 6).map(() => postgresStore({ url, poolSize: 1 }));
    await Promise.all(stores.map((store, index) => store.log().create({ id: `s${index}`, cwd: '/proj' })));
    expect((await stores[0]?.log().list())?.sessions).toHaveLength(6);
    for (const store of stores) await store.close();
  });

  it('with tables of a newer version is refused and left as it is', async () => {
    const { url, store } = await open();
    await store.log().create({ id: 's', cwd: '/proj' });
    await store.close();
    const database = new URL(url).pathname.slice(1);
    await server().sql('UPDATE parley.version SET version = 999', database);
    await using newer = postgresStore({ url });
    await expect(newer.log().get('s')).rejects.toMatchObject({
      code: 'store_incompatible',
      message: expect.stringContaining('update Parley'),
    });
    expect(await server().sql('SELECT count(*) FROM parley.session', database)).toBe('1');
  });

  it('with tables of the first version is moved forward, and its sessions can be read, written and trimmed', async () => {
    const { url } = await open();
    const database = new URL(url).pathname.slice(1);
    const [first = ''] = MIGRATIONS;
    await server().sql(
      `CREATE SCHEMA parley; CREATE TABLE parley.version (version integer NOT NULL); INSERT INTO parley.version VALUES (1);
       ${first.replaceAll('$', 'parley')};
       INSERT INTO parley.session (principal, id, cwd, metadata, created_ms, updated_ms, head, bytes) VALUES ('local', 's', '/proj', '{}', 1, 2, 2, 2);
       INSERT INTO parley.event VALUES (1, 1, 0, 1, 'number', 1, '1'), (1, 2, 0, 2, 'number', 2, '2')`,
      database,
    );
    await using store = postgresStore({ url });
    const log = store.log();
    expect(await log.get('s')).toMatchObject({ head: 2, trimmedTo: 0, bytes: 2 });
    await log.append('s', numbered(3, 3));
    await log.trim('s', { before: 3, summary: { kind: 'summary', body: 'gone' } });
    expect((await collect(log.read('s'))).map(({ seq, body }) => [seq, body])).toEqual([
      [2, 'gone'],
      [3, 3],
    ]);
  });

  it('that may only be read says so, and is written again once it may', async () => {
    const { url, store } = await open({ retryMs: 100, poolSize: 1 });
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    const database = new URL(url).pathname.slice(1);
    const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
      await server().sql(`ALTER DATABASE ${database} SET default_transaction_read_only = ${value}`);
      await server().sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
    };
    await setReadOnly('on');
    await expect(log.append('s', numbered(1, 1))).rejects.toMatchObject({ code: 'store_readonly' });
    expect(await log.head('s')).toBe(0);
    await setReadOnly('off');
    expect(await log.append('s', numbered(1, 1))).toEqual({ first: 1, last: 1 });
    await store.close();
  });

  it('that takes no more connections says so, and what to do', async () => {
    const { url, store } = await open({ retryMs: 100, poolSize: 1 });
    const others: pg.Client[] = [];
    try {
      for (;;) {
        const client = new pg.Client({ connectionString: url });
        client.on('error', () => {});
        others.push(client);
        await client.connect();
      }
    } catch {
      // Now it is full.
    }
    await expect(store.log().get('s')).rejects.toMatchObject({
      code: 'store_busy',
      message: expect.stringContaining('max_connections'),
    });
    for (const client of others) await client.end().catch(() => undefined);
    expect(await store.log().get('s')).toBeUndefined();
    await store.close();
  });

  it('does not let a program that hangs in a transaction hold up the others for long', async () => {
    const { url, store } = await open();
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    const hanging = new pg.Client({ connectionString: url, idle_in_transaction_session_timeout: 2000 });
    hanging.on('error', () => {});
    await hanging.connect();
    await hanging.query('BEGIN');
    await hanging.query('SELECT * FROM parley.session FOR UPDATE');
    expect(await log.append('s', numbered(1, 1))).toEqual({ first: 1, last: 1 });
    await hanging.end().catch(() => undefined);
    await store.close();
  });

  it('deletes the events of removed sessions, and those that were trimmed away, bit by bit', async () => {
    const { url, store } = await open();
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj', events: numbered(1, 12_000) });
    await log.create({ id: 'kept', cwd: '/proj', events: numbered(1, 6000) });
    await log.trim('kept', { before: 5998, summary: { kind: 'summary', body: 0 } });
    expect(await log.remove('s')).toBe(true);
    const database = new URL(url).pathname.slice(1);
    const tables = ['event', 'removal', 'trimming'].map((table) => `(SELECT count(*) FROM parley.${table})`);
    const left = async (): Promise<string> => server().sql(`SELECT ${tables.join(', ')}`, database);
    while ((await left()) !== '4|0|0') await new Promise((resolve) => setTimeout(resolve, 20));
    await store.close();
  });

  it.each([
    ['mysql://host/database', 'invalid_input', 'looks like postgres://'],
    ['not an address', 'invalid_input', 'looks like postgres://'],
  ])('cannot be at %s', (url, code, words) => {
    expect(() => postgresStore({ url })).toThrowError(
      expect.objectContaining({ code, message: expect.stringContaining(words) }),
    );
  });

  it.each([
    ['a database that is not there', (url: string) => url.replace(/\/[^/]*$/, '/nowhere'), 'createdb'],
    ['nobody at the port', (url: string) => url.replace(/:\d+\//, ':1/'), 'check that the server runs'],
    ['a user that is not there', (url: string) => url.replace('parley@', 'stranger@'), 'refused the user'],
  ])('says what to do about %s', async (_, change, words) => {
    await using store = postgresStore({ url: change(server().url), retryMs: 50 });
    await expect(store.log().get('s')).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining(words),
    });
  });

  it(
    'on a full disk refuses what does not fit, keeps the rest, and goes on once there is room',
    needs({ isMet: canMount(), reason: 'no disk can be mounted here (Linux and root)' }),
    async () => {
      const disk = join(server().folder, 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]);
      const { uid, gid } = statSync(server().folder);
      const space = join(disk, 'space');
      mkdirSync(space, { mode: 0o700 });
      chownSync(space, uid, gid);
      await server().sql(`CREATE TABLESPACE small LOCATION '${space}'`);
      await server().sql('CREATE DATABASE small TABLESPACE small');
      const store = postgresStore({ url: server().url.replace(/\/[^/]*$/, '/small'), retryMs: 100 });
      try {
        const log = store.log();
        await log.create({ id: 's', cwd: '/proj' });
        const body = Array.from({ length: 100_000 }, () => Math.random().toString(36))
          .join('')
          .slice(0, 1_000_000);
        let saved = 0;
        const fill = async (): Promise<unknown> => {
          for (; saved < 100; saved++) await log.append('s', [{ kind: 'big', body }]);
          return undefined;
        };
        expect(await fill().catch((error: unknown) => error)).toMatchObject({ code: 'store_full' });
        expect(saved).toBeGreaterThan(1);
        expect(await log.head('s')).toBe(saved);
        execFileSync('mount', ['-o', 'remount,size=64m', disk]);
        expect(await log.append('s', numbered(1, 1))).toEqual({ first: saved + 1, last: saved + 1 });
      } finally {
        await store.close();
        await server().sql('DROP DATABASE small WITH (FORCE)');
        await server().sql('DROP TABLESPACE small');
        execFileSync('umount', ['-l', disk]);
      }
    },
  );
});

/**
 * Passes everything on to a port; when it is told to, it drops the next commit or the server's answer to it, and both connections.
 */
async function cuttingProxy(target: number) {
  const state = { isArmed: false, isShut: false, cuts: 0, onCommit: undefined as (() => void) | undefined };
  const proxy = createServer((client) => {
    if (state.isShut) {
      client.destroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    let isCommitting = false;
    client.on('data', (bytes) => {
      if (state.onCommit && bytes.includes('COMMIT')) {
        state.onCommit();
        state.onCommit = undefined;
        return;
      }
      if (state.isArmed && bytes.includes('COMMIT')) {
        state.isArmed = false;
        isCommitting = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!isCommitting) client.write(bytes);
      else {
        state.cuts++;
        client.destroy();
        upstream.destroy();
      }
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    cutAfterCommit: () => {
      state.isArmed = true;
    },
    /** Nobody is let through while something is done in place of the next commit. Resolves when it is done. */
    cutBeforeCommit: (insteadOfIt: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        state.onCommit = () => {
          state.isShut = true;
          insteadOfIt()
            .finally(() => {
              state.isShut = false;
            })
            .then(resolve, reject);
        };
      }),
    get cuts() {
      return state.cuts;
    },
    [Symbol.asyncDispose]: async () => {
      proxy.close();
    },
  };
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
