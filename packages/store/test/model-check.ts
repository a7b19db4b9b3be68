import fc from 'fast-check';
import { expect } from 'vitest';
import type { Action, Archived } from './model.ts';
import { ModelRun, type OpenWithClock } from './model-run.ts';

/** Others on demand: PARLEY_MODEL_SEED=7 npx vitest run packages/store/test/model.test.ts */
const SEED = Number(process.env.PARLEY_MODEL_SEED ?? 6);
const id = fc.constantFrom('a', 'b', 'c');
const ids = fc.array(id, { minLength: 1, maxLength: 12 });
const key = fc.constantFrom('k1', 'k2', 'k3');
const from = fc.double({ min: 0, max: 1, noNaN: true });
const ownership = fc.constantFrom('right' as const, 'right' as const, 'right' as const, 'wrong' as const);
const archived = fc.constantFrom<Archived>('exclude', 'only', 'include');
const title = fc.option(fc.string({ unit: 'binary', maxLength: 5 }));

export const everywhere: fc.MaybeWeightedArbitrary<Action>[] = [
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
export const onDisk: typeof everywhere = [
  ...everywhere,
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reopen') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('abandon'), ids }) },
];

/** Runs sequences of actions on a store, and fails where the store and the model differ. */
export async function check(actions: typeof everywhere, numRuns: number, newOpen: () => OpenWithClock): Promise<void> {
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

export const limits = { maxPageEvents: 16, maxTailEvents: 8 };
