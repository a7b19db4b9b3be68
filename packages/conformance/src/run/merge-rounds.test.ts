import { describe, expect, it } from 'vitest';
import type { Outcome } from '../check.ts';
import type { CheckResult } from '../report/report.ts';
import { mergeRounds } from './merge-rounds.ts';

function result(outcome: Outcome): CheckResult {
  const facts = { id: 'X-01', level: 'MUST', group: 'framing', says: 'it is so', source: 'here', rules: [1] } as const;
  return {
    ...facts,
    outcome,
    durationMs: 5,
    repro: 'again',
    ...(outcome === 'fail' && { reason: 'it was not', got: 'nothing' }),
  };
}

describe('repeated rounds', () => {
  it('are flaky where they differ, with the evidence of the round that went wrong', () => {
    const [merged] = mergeRounds([[result('pass')], [result('fail')], [result('pass')]]);
    expect(merged).toMatchObject({ outcome: 'flaky', got: 'nothing', rounds: ['pass', 'fail', 'pass'] });
    expect(merged?.reason).toBe('1 of 3 rounds went wrong: it was not');
  });

  it('keep their outcome where they agree', () => {
    expect(mergeRounds([[result('fail')], [result('fail')]])[0]).toMatchObject({
      outcome: 'fail',
      rounds: ['fail', 'fail'],
    });
  });

  it('are left alone when there is only one', () => {
    const only = [result('warn')];
    expect(mergeRounds([only])).toBe(only);
  });
});
