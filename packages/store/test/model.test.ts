import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../src/memory/memory-store.ts';
import { postgresStore } from '../src/postgres/postgres-store.ts';
import { sqliteStore } from '../src/sqlite/sqlite-store.ts';
import type { Action, Archived } from './model.ts';
import { ModelRun, type OpenWithClock } from './model-run.ts';
import { hasPostgres, usePostgres } from './places.ts';
import { temporaryPaths } from './temporary-folder.ts';

/** Others on demand: PARLEY_MODEL_SEED=7 npx vitest run packages/store/test/model.test.ts */
const SEED = Number(process.env.PARLEY_MODEL_SEED ?? 6);
const id = fc.constantFrom('a', 'b', 'c');
const ids = fc.array(id, { minLength: 1, maxLength: 12 });
const key = fc.constantFrom('k1', 'k2', 'k3');
const from = fc.double({ min: 0, max: 1, noNaN: true });
const ownership = fc.constantFrom('right' as const, 'right' as const, 'right' as const, 'wrong' as const);
const archived = fc.constantFrom<Archived>('exclude', 'only', 'include');
const title = fc.option(fc.string({ unit: 'binary', maxLength: 5 }));

const everywhere: fc.MaybeWeightedArbitrary<Action>[] = [
  { weight: 4, arbitrary: fc.record({ type: fc.constant('create'), id }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove'), id }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('append'), id, count: fc.nat(40), ownership }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('burst'), ids }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('once'), id, key, hasOutcome: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('settle'), id, key }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('input'), id, count: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('read'), id, from }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('watch'), id }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('update'), id, title, isArchived: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('list'), limit: fc.integer({ min: 1, max: 3 }), archived }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('wait'), ms: fc.constantFrom(1, 500, 1000, 5000) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('acquire'), id, owner: id, takeOver: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('renew'), id, ownership }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('release'), id }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('trim'), id, from, ownership }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('fork'), id, to: id, from }) },
];
const onDisk: typeof everywhere = [
  ...everywhere,
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reopen') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('abandon'), ids }) },
];

async function check(actions: typeof everywhere, numRuns: number, newOpen: () => OpenWithClock): Promise<void> {
  let runs = 0;
  const property = fc.asyncProperty(
    fc.array(fc.oneof(...actions), { minLength: 5, maxLength: 60, size: 'max' }),
    async (steps) => {
      const run = new ModelRun(`principal-${++runs}`, newOpen());
      try {
        await run.perform({ type: 'create', id: 'a' });
        for (const step of steps) await run.perform(step);
        await run.verify();
      } finally {
        await run.close();
      }
    },
  );
  await fc.assert(property, { seed: SEED, numRuns });
  expect(runs).toBeGreaterThanOrEqual(numRuns);
}

describe('any sequence of calls', () => {
  const limits = { maxPageEvents: 16, maxTailEvents: 8 };

  it('leaves a store in memory as the model says', async () => {
    await check(everywhere, 300, () => (now) => memoryStore({ limits, now }));
  });

  it('leaves a store on disk as the model says, also when it is reopened or abandoned in between', async () => {
    const newPath = temporaryPaths();
    await check(onDisk, 20, () => {
      const path = newPath();
      return (now) => sqliteStore({ path, limits, now, pollIntervalMs: 5 });
    });
  }, 60_000);

  describe.skipIf(!hasPostgres)('in PostgreSQL', () => {
    const server = usePostgres();

    it('leaves a store as the model says, also when it is opened again or abandoned in between', async () => {
      let schemas = 0;
      await check(onDisk, 10, () => {
        const schema = `model_${++schemas}`;
        return (now) => postgresStore({ url: server().url, schema, limits, now, poolSize: 3 });
      });
    }, 120_000);
  });
});
