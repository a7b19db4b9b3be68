import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { needs } from '@parley/testing/needs';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { collect, range } from './cases/collect.ts';
import type { MixReport } from './mix-report.ts';
import { openStore } from './open-store.ts';
import { sharedPlaces } from './places.ts';
import { useProgram } from './use-program.ts';

/** More on demand: PARLEY_MIXED_OPERATIONS=5000 npx vitest run packages/store/test/mixed.database.test.ts */
const OPERATIONS = Number(process.env.PARLEY_MIXED_OPERATIONS ?? 120);

const programFile = useProgram('mix-operations');

/** One process: its report, and what its followers had seen once all were done. */
function start(place: string, seed: number) {
  const child = spawn(process.execPath, [programFile(), place, String(seed), String(OPERATIONS)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? 'null');
  const exit = once(child, 'exit');
  return {
    report: next() as Promise<MixReport>,
    finish: async () => {
      child.stdin.end('done\n');
      const followed = (await next()) as unknown[][];
      return { followed, code: (await exit)[0] as number | null };
    },
  };
}

describe.each(sharedPlaces())('processes that do everything at once in $name', ({ name, need, newPlace }) => {
  it.each([2, 5])('keep every promise: %d of them', { ...needs(need), timeout: 60_000 }, async (count) => {
    const place = await newPlace();
    const processes = range(1, count).map((seed) => start(place, seed));
    const reports = await Promise.all(processes.map(({ report }) => report));
    const ends = await Promise.all(processes.map(({ finish }) => finish()));
    expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0));
    expect(reports.flatMap(({ faults }) => faults)).toEqual([]);

    await using store = openStore(place);
    const log = store.log();
    const kept = ['kept-0', 'kept-1', 'kept-2'];
    const bodies = new Map<string, unknown[]>();
    for (const id of kept) {
      const events = await collect(log.read(id));
      expect(events.map(({ seq }) => seq)).toEqual(range(1, events.length));
      bodies.set(
        id,
        events.map(({ body }) => body),
      );
      expect(new Set(bodies.get(id)).size).toBe(events.length);
    }
    const acks = reports.flatMap((report) => report.acks).filter(({ sessionId }) => kept.includes(sessionId));
    expect(acks.length).toBeGreaterThan(count * 10);
    for (const { sessionId, body, seq } of acks) expect(bodies.get(sessionId)?.[seq - 1]).toBe(body);
    for (const { followed } of ends) expect(followed).toEqual(kept.map((id) => bodies.get(id)));
    const wins = reports.flatMap((report) => report.wins);
    expect(new Set(wins).size).toBe(wins.length);

    if (name !== 'SQLite') return;
    const database = new Database(place);
    expect(database.prepare('PRAGMA integrity_check').raw().all([])).toEqual([['ok']]);
    database.close();
  });
});
