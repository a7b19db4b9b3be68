import type { SessionLog } from '@parley/store';
import { postgresStore } from '@parley/store/postgres';
import { startPostgres } from '@parley/testing/postgres';
import {
  appendDurably,
  createLongSession,
  EVENT,
  LONG_SESSION,
  quantile,
  replayRate,
  SESSIONS,
  time,
} from './workload.ts';

/**
 * Measures the store in a PostgreSQL server of its own, with commits that reach the disk:
 * npx tsx --conditions=source packages/store/bench/postgres.bench.ts [--sessions 1000000] [--json]
 * With `--sessions`, also how long the same takes beside so many stored sessions (a minute and some GB for a million).
 */
const ROUNDS = 3;
const FOLLOWED = 400;

interface Figure {
  readonly workload: string;
  readonly unit: string;
  readonly value: number;
  readonly hold: number | null;
  readonly isAtLeast: boolean;
  readonly spread: number;
}

const args = process.argv.slice(2);
const stored = Number(args[args.indexOf('--sessions') + 1] ?? 0) || 0;
const figures: Figure[] = [];
await using server = await startPostgres({ isDurable: true, settings: { shared_buffers: '256MB' } });
if (server) {
  await measureDurable(await server.newDatabase());
  await measureReplay(await server.newDatabase());
  await measureFollowing(await server.newDatabase());
  if (stored > 0) await measureMany(await server.newDatabase());
} else process.stderr.write('PostgreSQL is not on this machine; nothing was measured.\n');
if (args.includes('--json')) console.log(JSON.stringify({ figures }));
else
  for (const { workload, value, unit, hold } of figures)
    console.log(workload.padEnd(66), value.toFixed(1).padStart(10), unit, hold ?? '');

async function measureDurable(url: string): Promise<void> {
  await using store = postgresStore({ url });
  const log = store.log();
  const rates: number[] = [];
  const slowest: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ids = Array.from({ length: SESSIONS }, (_, index) => `${round}-${index}`);
    await Promise.all(ids.map((id) => log.create({ id, cwd: '/proj' })));
    const { eventsPerSecond, p99Ms } = await appendDurably(log, ids);
    rates.push(eventsPerSecond);
    slowest.push(p99Ms);
  }
  add('durable appends over 64 sessions', 'events/s', rates, { isAtLeast: true, hold: 5000 });
  add('durable append, p99', 'ms', slowest, { isAtLeast: false, hold: 50 });
}

async function measureReplay(url: string): Promise<void> {
  await using store = postgresStore({ url });
  const log = store.log();
  await createLongSession(log);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rates.push(await replayRate(log));
  add(`replay of ${LONG_SESSION} events`, 'events/s', rates, { isAtLeast: true, hold: 100_000 });
}

/** From an append through one store to the moment at which a follower of another one has it. */
async function measureFollowing(url: string): Promise<void> {
  await using writer = postgresStore({ url });
  await using reader = postgresStore({ url });
  await writer.log().create({ id: 's', cwd: '/proj' });
  const halves: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const head = await writer.log().head('s');
    const latencies: number[] = [];
    const abort = new AbortController();
    const sentAt = new Map<number, number>();
    const following = (async () => {
      for await (const { seq } of reader.log().follow('s', { after: head, signal: abort.signal })) {
        latencies.push(performance.now() - (sentAt.get(seq) ?? 0));
        if (latencies.length === FOLLOWED) abort.abort();
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (let count = 1; count <= FOLLOWED; count++) {
      sentAt.set(head + count, performance.now());
      await writer.log().append('s', [EVENT]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await following;
    halves.push(quantile(latencies, 0.5));
  }
  add('an append is seen through another store, p50', 'ms', halves, { isAtLeast: false, hold: 25 });
}

/** List, open and append: beside few sessions, and beside many. */
async function measureMany(url: string): Promise<void> {
  await using store = postgresStore({ url });
  const log = store.log();
  await log.create({ id: 'one', cwd: '/proj' });
  const few = await timesOf(log);
  const database = new URL(url).pathname.slice(1);
  await server?.sql(
    `INSERT INTO parley.session (principal, id, cwd, title, metadata, created_ms, updated_ms, head, bytes)
     SELECT 'local', 'stored-' || n, '/proj/' || n % 1000, '"Session ' || n || '"', '{}', 1700000000000 + n, 1700000000000 + n, 4, 800
     FROM generate_series(1, ${stored}) AS n;
     INSERT INTO parley.event (session, seq, epoch, time_ms, kind, end_byte, body)
     SELECT num, seq, 0, 1700000000000, 'update', 200 * seq, '{"text":"' || repeat('x', 180) || '"}'
     FROM parley.session, generate_series(1, 4) AS seq WHERE id LIKE 'stored-%';
     ANALYZE`,
    database,
  );
  const many = await timesOf(log);
  for (const name of ['list', 'open', 'append'] as const) {
    add(`${name} beside 1 session`, 'ms', [few[name]], { isAtLeast: false, hold: null });
    add(`${name} beside ${stored} sessions`, 'ms', [many[name]], { isAtLeast: false, hold: null });
  }
}

async function timesOf(log: SessionLog): Promise<Record<'list' | 'open' | 'append', number>> {
  const median = async (work: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let count = 0; count < 200; count++) times.push(1000 * (await time(work)));
    return quantile(times, 0.5);
  };
  return {
    list: await median(() => log.list()),
    open: await median(() => log.get('one')),
    append: await median(() => log.append('one', [EVENT])),
  };
}

function add(
  what: string,
  unit: string,
  values: readonly number[],
  { isAtLeast, hold }: Pick<Figure, 'isAtLeast' | 'hold'>,
): void {
  const value = isAtLeast ? Math.max(...values) : Math.min(...values);
  const spread = Math.max(...values) / Math.min(...values);
  figures.push({ workload: `store in PostgreSQL: ${what}`, unit, value, hold, isAtLeast, spread });
}
