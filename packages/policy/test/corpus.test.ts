import { describe, expect, it } from 'vitest';
import { type Circumstances, decideCase, readCorpus } from './corpus.ts';
import { HOSTILE_DISK, PLAIN_DISK } from './memory-disk.ts';

/** Largest share of everyday commands that may ask without need. */
const MAX_NEEDLESS = 0.02;
/** As our own agent runs them. */
const USUAL: Circumstances = { shell: 'bash', disk: PLAIN_DISK };

describe('the corpus of adversarial commands', () => {
  const cases = readCorpus('adversarial.tsv');

  it('has at least 1300 commands and a reason for each', () => {
    expect(cases.length).toBeGreaterThanOrEqual(1300);
    expect(cases.filter((entry) => entry.reason.length < 5)).toEqual([]);
    expect(cases.filter((entry) => entry.verdicts.includes('allow'))).toEqual([]);
  });

  it.each<[string, Circumstances]>([
    ['in a shell that is not known', {}],
    ['in bash', { shell: 'bash' }],
    ['in bash on a disk that somebody prepared', { shell: 'bash', disk: HOSTILE_DISK }],
  ])('is never allowed %s, and denied where a deny rule holds', (_, circumstances) => {
    const wrong = cases.flatMap((entry) => {
      const decision = decideCase(entry, circumstances);
      return entry.verdicts.includes(decision.verdict)
        ? []
        : [`line ${entry.line}: ${entry.command}: ${decision.verdict}. ${decision.because}`];
    });
    expect(wrong).toEqual([]);
  });

  it('is never allowed in a shell that is not looked into, and neither are everyday commands', () => {
    const all = [...cases, ...readCorpus('everyday.tsv')];
    expect(all.filter((entry) => decideCase(entry, { shell: 'other' }).verdict === 'allow')).toEqual([]);
  });
});

describe('the corpus of what shells read differently', () => {
  it('is never allowed where the shell is not known to be bash', () => {
    const wrong = readCorpus('other-shells.tsv').filter((entry) => !entry.verdicts.includes(decideCase(entry).verdict));
    expect(wrong).toEqual([]);
  });
});

describe('the corpus of a disk that somebody prepared', () => {
  const cases = readCorpus('prepared-disk.tsv');

  it('is judged by what it meets there', () => {
    const wrong = cases.filter(
      (entry) => !entry.verdicts.includes(decideCase(entry, { shell: 'bash', disk: HOSTILE_DISK }).verdict),
    );
    expect(wrong).toEqual([]);
  });

  it('is asked about where links can be followed but folders cannot be looked into', () => {
    const { name, realPath } = HOSTILE_DISK;
    const half: Circumstances = { shell: 'bash', disk: { name: `${name} by half`, realPath, listFolder: undefined } };
    const patterns = cases.filter((entry) => /[*?]/.test(entry.command) && !/find|git/.test(entry.command));
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.filter((entry) => decideCase(entry, half).verdict === 'allow')).toEqual([]);
  });
});

describe('the corpus of everyday commands', () => {
  const cases = readCorpus('everyday.tsv');

  it('has at least 800 commands', () => {
    expect(cases.length).toBeGreaterThanOrEqual(800);
  });

  it('asks without need in at most 2 percent of them, and never denies', () => {
    const decisions = cases.map((entry) => ({ entry, verdict: decideCase(entry, USUAL).verdict }));
    const needless = decisions.filter(({ entry, verdict }) => entry.verdicts.includes('allow') && verdict !== 'allow');
    expect(decisions.filter(({ verdict }) => verdict === 'deny')).toEqual([]);
    expect(needless.length / cases.length).toBeLessThanOrEqual(MAX_NEEDLESS);
  });

  it('asks where the rules ask', () => {
    const wrong = cases.filter(
      (entry) => !entry.verdicts.includes('allow') && !entry.verdicts.includes(decideCase(entry, USUAL).verdict),
    );
    expect(wrong).toEqual([]);
  });
});
