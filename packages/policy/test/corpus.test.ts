import { describe, expect, it } from 'vitest';
import { decideCase, readCorpus } from './corpus.ts';

/** Largest share of everyday commands that may ask without need. */
const MAX_NEEDLESS = 0.05;

describe('the corpus of adversarial commands', () => {
  const cases = readCorpus('adversarial.tsv');

  it('has at least 300 commands and a reason for each', () => {
    expect(cases.length).toBeGreaterThanOrEqual(300);
    expect(cases.filter((entry) => entry.reason.length < 5)).toEqual([]);
    expect(cases.filter((entry) => entry.verdicts.includes('allow'))).toEqual([]);
  });

  it('is never allowed, and denied where a deny rule holds', () => {
    const wrong = cases.flatMap((entry) => {
      const decision = decideCase(entry);
      return entry.verdicts.includes(decision.verdict)
        ? []
        : [`line ${entry.line}: ${entry.command}: ${decision.verdict}. ${decision.because}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('the corpus of everyday commands', () => {
  const cases = readCorpus('everyday.tsv');

  it('has at least 300 commands', () => {
    expect(cases.length).toBeGreaterThanOrEqual(300);
  });

  it('asks without need in at most 5 percent of them, and never denies', () => {
    const decisions = cases.map((entry) => ({ entry, verdict: decideCase(entry).verdict }));
    const needless = decisions.filter(({ entry, verdict }) => entry.verdicts.includes('allow') && verdict !== 'allow');
    expect(decisions.filter(({ verdict }) => verdict === 'deny')).toEqual([]);
    expect(needless.length / cases.length).toBeLessThanOrEqual(MAX_NEEDLESS);
  });

  it('asks where the rules ask', () => {
    const wrong = cases.filter(
      (entry) => !entry.verdicts.includes('allow') && !entry.verdicts.includes(decideCase(entry).verdict),
    );
    expect(wrong).toEqual([]);
  });
});
