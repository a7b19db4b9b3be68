import { needs } from '@parley/testing/needs';
import { expect, it } from 'vitest';
import { summarize } from './skipped-tests.ts';

const skippedFor = (...reasons: readonly string[]) =>
  summarize(reasons.map((reason) => ({ meta: () => needs({ isMet: false, reason }).meta })));

it('prints a line for each reason, with the number of its tests', () => {
  expect(skippedFor('no curl found', 'not run as root', 'no curl found')).toEqual([
    '2 tests skipped: no curl found',
    '1 test skipped: not run as root',
  ]);
});

it('leaves out tests without a reason, which the caller has filtered', () => {
  expect(summarize([{ meta: () => needs({ isMet: true, reason: 'no curl found' }).meta }])).toEqual([]);
});

it('takes the reason of the first need that is not met', () => {
  const met = { isMet: true, reason: 'never said' };
  expect(needs(met, { isMet: false, reason: 'first' }, { isMet: false, reason: 'second' })).toEqual({
    skip: true,
    meta: { skipReason: 'first' },
  });
  expect(needs(met)).toEqual({ skip: false, meta: {} });
});
