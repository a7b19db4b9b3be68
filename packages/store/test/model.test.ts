import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryStore, type SessionStore, sqliteStore } from '../src/index.ts';
import type { Action } from './model.ts';
import { ModelRun } from './model-run.ts';
import { temporaryPaths } from './temporary-folder.ts';

const SEED = 6;
const id = fc.constantFrom('a', 'b', 'c');
const ids = fc.array(id, { minLength: 1, maxLength: 12 });
const from = fc.double({ min: 0, max: 1, noNaN: true });

const everywhere: fc.MaybeWeightedArbitrary<Action>[] = [
  { weight: 4, arbitrary: fc.record({ type: fc.constant('create'), id }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove'), id }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('append'), id, count: fc.nat(40), ownership: ownership() }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('burst'), ids }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('once'), id, key: fc.constantFrom('k1', 'k2', 'k3') }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('read'), id, from }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('watch'), id }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('acquire'), id, owner: id, takeOver: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('release'), id }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('fork'), id, to: id, from }) },
];
const onDisk: typeof everywhere = [
  ...everywhere,
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reopen') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('abandon'), ids }) },
];

function ownership(): fc.Arbitrary<'right' | 'wrong'> {
  return fc.constantFrom('right', 'right', 'right', 'wrong');
}

async function check(actions: typeof everywhere, numRuns: number, newOpen: () => () => SessionStore): Promise<void> {
  let runs = 0;
  const property = fc.asyncProperty(fc.array(fc.oneof(...actions), { minLength: 5, maxLength: 40 }), async (steps) => {
    const run = new ModelRun(`principal-${++runs}`, newOpen());
    try {
      await run.perform({ type: 'create', id: 'a' });
      for (const step of steps) await run.perform(step);
      await run.verify();
    } finally {
      await run.close();
    }
  });
  await fc.assert(property, { seed: SEED, numRuns });
  expect(runs).toBeGreaterThanOrEqual(numRuns);
}

describe('any sequence of calls', () => {
  const limits = { maxPageEvents: 16, maxTailEvents: 8 };

  it('leaves a store in memory as the model says', async () => {
    await check(everywhere, 300, () => () => memoryStore({ limits }));
  });

  it('leaves a store on disk as the model says, also when it is reopened or abandoned in between', async () => {
    const newPath = temporaryPaths();
    await check(onDisk, 15, () => {
      const path = newPath();
      return () => sqliteStore({ path, limits, pollIntervalMs: 5 });
    });
  }, 60_000);
});
