import { startFaultProxy } from '@parley/testing/fault-proxy';
import { needs } from '@parley/testing/needs';
import { POSTGRES } from '@parley/testing/postgres';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { Connections } from '../src/postgres/connections.ts';
import { type PostgresStoreOptions, postgresStore } from '../src/postgres/postgres-store.ts';
import { collect, numbered, range } from './cases/collect.ts';
import { usePostgres } from './places.ts';

/** Far less than the 35 s after which the driver itself gives up. */
const SOON_MS = 10_000;

describe('connections to PostgreSQL that pass nothing more and do not end', needs(POSTGRES), () => {
  const server = usePostgres();
  const open = async (options: Partial<PostgresStoreOptions> = {}) => {
    const direct = await server().newDatabase();
    const proxy = await startFaultProxy({ port: Number(new URL(direct).port) });
    const url = direct.replace(/:\d+\//, `:${proxy.port}/`);
    const store = postgresStore({ url, poolSize: 4, silenceMs: 150, ...options });
    return {
      direct,
      url,
      proxy,
      store,
      log: store.log(),
      [Symbol.asyncDispose]: async () => {
        await store.close();
        await proxy.close();
      },
    };
  };

  it('are replaced within 10 s with the default limits: lists, reads and appends work again', async () => {
    await using place = await open({ silenceMs: 1500, poolSize: 8 });
    const { log, proxy } = place;
    await log.create({ id: 's', cwd: '/proj', events: numbered(1, 3) });
    // Several connections, all idle.
    await Promise.all(range(1, 6).map((n) => log.create({ id: `other ${n}`, cwd: '/proj' })));
    proxy.apply({ kind: 'half_open' });
    const startedAt = performance.now();
    const [page, events, appended] = await Promise.all([
      log.list(),
      collect(log.read('s')),
      log.append('other 1', numbered(1, 1)),
    ]);
    expect(page.sessions).toHaveLength(7);
    expect(events.map(({ body }) => body)).toEqual([1, 2, 3]);
    expect(appended).toEqual({ first: 1, last: 1 });
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
  }, 60_000);

  it('lose no event and double none, wherever in the statements of an append they stop', async () => {
    await using place = await open({ poolSize: 1 });
    const { log, proxy } = place;
    await log.create({ id: 's', cwd: '/proj' });
    let last = 0;
    for (const stops of ['to_client', 'to_server', undefined] as const)
      for (const afterBytes of [0, 60, 130, 300, 400, 420]) {
        const way = stops ?? 'to_server';
        proxy.apply({ kind: 'half_open', way, afterBytes, ...(stops && { stops }) });
        last += 1;
        expect(await log.append('s', numbered(last, last))).toEqual({ first: last, last });
      }
    expect(proxy.stats.faults.half_open ?? 0).toBeGreaterThan(10);
    expect((await collect(log.read('s'))).map(({ body }) => body)).toEqual(range(1, last));
  }, 120_000);

  it('are ended at the server too, which would keep them for hours', async () => {
    await using place = await open();
    const { log, proxy, direct } = place;
    await Promise.all(range(1, 4).map((n) => log.create({ id: `s${n}`, cwd: '/proj' })));
    const database = new URL(direct).pathname.slice(1);
    const processes = async (): Promise<string[]> =>
      (await server().sql(`SELECT pid FROM pg_stat_activity WHERE datname = '${database}'`)).split('\n');
    const before = await processes();
    expect(before.length).toBeGreaterThan(1);
    proxy.apply({ kind: 'half_open' });
    await log.list();
    while ((await processes()).some((pid) => before.includes(pid)));
  }, 60_000);

  it('are not confused with a server that takes its time: a statement is waited for as long as the server works on it', async () => {
    await using place = await open({ poolSize: 1 });
    const { log, proxy, direct } = place;
    await log.create({ id: 's', cwd: '/proj' });
    const [used] = proxy.connections;
    const other = new pg.Client({ connectionString: direct });
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT * FROM parley.session FOR UPDATE');
    const appending = log.append('s', numbered(1, 1));
    // Asked about twice, each time over a connection of its own.
    while (proxy.stats.accepted < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    await other.query('COMMIT');
    await other.end();
    expect(await appending).toEqual({ first: 1, last: 1 });
    expect(proxy.connections).toContain(used);
  }, 60_000);

  it('make the check of the store fail in words until they are replaced', async () => {
    await using place = await open({ poolSize: 1 });
    const { log, proxy, store } = place;
    await log.create({ id: 's', cwd: '/proj' });
    await store.check();
    proxy.apply({ kind: 'half_open' });
    proxy.always({ kind: 'silent' });
    const reading = log.get('s');
    const failure = await untilFailing(() => store.check());
    expect(failure).toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('no answer') });
    proxy.always();
    await reading;
    await store.check();
  }, 60_000);

  it('fail calls in words after the time for retries when new connections pass nothing either', async () => {
    await using place = await open({ poolSize: 1, retryMs: 1000 });
    const { log, proxy } = place;
    await log.create({ id: 's', cwd: '/proj' });
    proxy.apply({ kind: 'half_open' });
    proxy.always({ kind: 'silent' });
    const startedAt = performance.now();
    await expect(log.append('s', numbered(1, 1))).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('Nothing of this call was saved.'),
    });
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
    proxy.always();
    expect(await log.append('s', numbered(1, 1))).toEqual({ first: 1, last: 1 });
  }, 60_000);

  it('do not leave a follower without hints: the connection that listens is replaced as well', async () => {
    // Without hints nobody looks.
    await using place = await open({ lookIntervalMs: 600_000, pollIntervalMs: 600_000 });
    const { log, proxy, direct } = place;
    await using other = postgresStore({ url: direct });
    await log.create({ id: 's', cwd: '/proj' });
    const seen: number[] = [];
    const stop = log.watch('s', (head) => void seen.push(head));
    const hintOf = async (head: number): Promise<void> => {
      await other.log().append('s', numbered(head, head));
      while (!seen.includes(head)) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await hintOf(1);
    proxy.apply({ kind: 'half_open' });
    await hintOf(2);
    stop();
  }, 60_000);

  it.each([
    ['off', 'on'],
    ['local', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('acknowledge no commit early: synchronous_commit %s of a database becomes %s', async (given, wanted) => {
    const url = await server().newDatabase();
    await server().sql(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = ${given}`);
    const connections = new Connections({ url, poolSize: 2, silenceMs: 1500 });
    const show = () => connections.use((connection) => connection.query('SHOW synchronous_commit'), 10_000);
    for (const { rows } of await Promise.all([show(), show()])) expect(rows).toEqual([{ synchronous_commit: wanted }]);
    await connections.close();
  });

  it('are found by the server within a minute where nobody is left who could end them', async () => {
    const connections = new Connections({ url: await server().newDatabase(), poolSize: 1, silenceMs: 1500 });
    const settings = ['idle', 'interval', 'count'].map((name) => `current_setting('tcp_keepalives_${name}')::int`);
    const text = `SELECT ${settings[0]} + ${settings[1]} * ${settings[2]} AS seconds`;
    const { rows } = await connections.use((connection) => connection.query(text), 10_000);
    expect(rows).toEqual([{ seconds: 40 }]);
    await connections.close();
  });
});

async function untilFailing(check: () => Promise<void>): Promise<unknown> {
  for (;;) {
    try {
      await Promise.race([check(), new Promise((resolve) => setTimeout(resolve, 20))]);
    } catch (error) {
      return error;
    }
  }
}
