import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionLog, SessionStore } from '@parley/store';
import { sqliteStore } from '@parley/store/sqlite';
import { appendDurably, createLongSession, EVENT, LONG_SESSION, replayRate, SESSIONS, time } from './workload.ts';

/**
 * Measures the store on this disk: npx tsx --conditions=source packages/store/bench/store.bench.ts [folder] [--json]
 * Every figure is taken ROUNDS times; the best is shown with the worst beside it, because machines are noisy.
 */
const ROUNDS = 5;
const STORED_SESSIONS = 10_000;
const SAMPLE = 4000;

interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly target: string;
  /** Higher is better; otherwise lower is. */
  readonly isRate: boolean;
  readonly values: readonly number[];
}

const args = process.argv.slice(2);
const place = args.find((argument) => !argument.startsWith('--')) ?? tmpdir();
const folder = mkdtempSync(join(place, 'parley-store-bench-'));
const figures: Figure[] = [];
try {
  await measureDurable();
  await measureReplay();
  await measureGrowth();
} finally {
  rmSync(folder, { recursive: true });
}
if (args.includes('--json')) console.log(JSON.stringify({ figures: figures.map(toPromise) }));
else print(figures);

async function measureDurable(): Promise<void> {
  const rates: number[] = [];
  const slowest: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await using store = sqliteStore({ path: join(folder, `durable-${round}.db`) });
    const log = store.log();
    const ids = await createSessions(log, SESSIONS);
    const { eventsPerSecond, p99Ms } = await appendDurably(log, ids);
    rates.push(eventsPerSecond);
    slowest.push(p99Ms);
  }
  add({ what: `durable, ${SESSIONS} sessions`, unit: 'events/s', target: '>= 5000', isRate: true, values: rates });
  add({ what: `durable, ${SESSIONS} sessions, p99`, unit: 'ms', target: '<= 50', isRate: false, values: slowest });
}

async function measureReplay(): Promise<void> {
  const path = join(folder, 'replay.db');
  await withStore(path, createLongSession);
  const rates: number[] = [];
  const firstCold: number[] = [];
  const firstWarm: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await withStore(path, async (log) => {
      firstCold.push(1000 * (await time(() => readFirst(log))));
      firstWarm.push(1000 * (await time(() => readFirst(log))));
      rates.push(await replayRate(log));
    });
  }
  add({ what: `replay of ${LONG_SESSION} events`, unit: 'events/s', target: '>= 150000', isRate: true, values: rates });
  add({ what: 'first event, store just made', unit: 'ms', target: '-', isRate: false, values: firstCold });
  add({ what: 'first event, store open', unit: 'ms', target: '<= 100', isRate: false, values: firstWarm });
}

/** The same appends to a short and a long session, and beside few and many sessions: the cost must not grow. */
async function measureGrowth(): Promise<void> {
  const path = join(folder, 'replay.db');
  const short: number[] = [];
  const long: number[] = [];
  await withStore(path, async (log) => {
    for (let round = 0; round < ROUNDS; round++) {
      await log.create({ id: `short-${round}`, cwd: '/proj' });
      short.push(await costPerEvent(log, `short-${round}`));
      long.push(await costPerEvent(log, 'long'));
    }
  });
  add({ what: 'append to a new session', unit: 'us/event', target: '-', isRate: false, values: short });
  add({
    what: `append after ${LONG_SESSION} events`,
    unit: 'us/event',
    target: 'no growth',
    isRate: false,
    values: long,
  });

  const many = join(folder, 'many.db');
  const beside: number[] = [];
  const listing: number[] = [];
  await withStore(many, async (log) => {
    const ids = await createSessions(log, STORED_SESSIONS);
    for (let start = 0; start < ids.length; start += 500) {
      await Promise.all(ids.slice(start, start + 500).map((id) => log.append(id, Array(10).fill(EVENT))));
    }
    for (let round = 0; round < ROUNDS; round++) {
      beside.push(await costPerEvent(log, ids[round * 1000] ?? ''));
      listing.push(1000 * (await time(() => log.list({ cwd: '/proj' }))));
    }
  });
  const target = 'no growth';
  add({ what: `append beside ${STORED_SESSIONS} sessions`, unit: 'us/event', target, isRate: false, values: beside });
  add({ what: `list 50 of ${STORED_SESSIONS} sessions`, unit: 'ms', target: '-', isRate: false, values: listing });
  const bytes = statSync(join(folder, 'replay.db')).size / (LONG_SESSION + 2 * ROUNDS * SAMPLE);
  add({ what: 'file per event', unit: 'bytes', target: '-', isRate: false, values: [bytes] });
}

async function costPerEvent(log: SessionLog, id: string): Promise<number> {
  const seconds = await time(async () => {
    for (let count = 0; count < SAMPLE; count += 100) {
      await Promise.all(Array.from({ length: 100 }, () => log.append(id, [EVENT])));
    }
  });
  return (seconds * 1_000_000) / SAMPLE;
}

async function createSessions(log: SessionLog, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `session-${index}`);
  for (let start = 0; start < count; start += 1000) {
    await Promise.all(ids.slice(start, start + 1000).map((id) => log.create({ id, cwd: '/proj' })));
  }
  return ids;
}

async function readFirst(log: SessionLog): Promise<void> {
  for await (const _ of log.read('long')) return;
}

async function withStore(path: string, use: (log: SessionLog) => Promise<void>): Promise<void> {
  await using store: SessionStore = sqliteStore({ path });
  await use(store.log());
}

/** As `npm run bench` reads it: the best value, what must hold, and how far the rounds lay apart. */
function toPromise({ what, unit, target, isRate, values }: Figure): object {
  const sorted = values.toSorted((a, b) => (isRate ? b - a : a - b));
  const [value = 0] = sorted;
  const hold = /^[<>]= (\d+)$/.exec(target)?.[1];
  const spread = Math.max(...values) / Math.min(...values);
  return { workload: `store: ${what}`, unit, value, isAtLeast: isRate, hold: hold ? Number(hold) : null, spread };
}

function add(figure: Figure): void {
  figures.push(figure);
}

function print(all: readonly Figure[]): void {
  const format = (value: number): string => (value >= 100 ? String(Math.round(value)) : value.toFixed(1));
  const rows = all.map(({ what, unit, target, isRate, values }) => {
    const sorted = values.toSorted((a, b) => (isRate ? b - a : a - b));
    return [what, format(sorted[0] ?? 0), format(sorted.at(-1) ?? 0), unit, target];
  });
  for (const [what = '', best = '', worst = '', unit = '', target = ''] of [
    ['', 'best', 'worst', '', 'target'],
    ...rows,
  ]) {
    console.log(what.padEnd(34), best.padStart(8), worst.padStart(8), ` ${unit.padEnd(9)}`, target);
  }
}
