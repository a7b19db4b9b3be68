import { describe, expect, it } from 'vitest';
import { capture, lines, trials } from '../../test/support/results.ts';
import { comparisonReport, trialsComparisonReport } from '../formats/index.ts';
import {
  type CompareOptions,
  type Comparison,
  compareRuns,
  formatComparison,
  labelRuns,
  optionsFromEnv,
  rankTasks,
  readRun,
} from './index.ts';

const ids = Array.from({ length: 20 }, (_, index) => `task-${index + 1}`);

async function compare(
  runs: Readonly<Record<string, readonly object[]>>,
  options: CompareOptions = {},
): Promise<Comparison> {
  const rows = await Promise.all(
    Object.entries(runs).map(([label, results]) => readRun({ label, source: lines(results) })),
  );
  return compareRuns(rows, options);
}

describe('runs of capture', () => {
  it('are compared in the format of other harnesses, with intervals and corrected p-values added', async () => {
    const comparison = await compare({
      base: ids.map((id) => capture(id, { pass: true })),
      next: ids.map((id, index) => capture(id, { pass: index % 2 === 0 })),
    });
    expect(comparisonReport.parse(JSON.parse(JSON.stringify(comparison)))).toMatchObject({
      meta: { runs: ['base', 'next'], promptCount: 20, promptsWithAllRuns: 20 },
      quality: {
        base: { type: 'run', passRate: 1, passCount: 20, failCount: 0, scoreDistribution: { '0.8-1.0': 20 } },
        next: { passRate: 0.5, passCount: 10, failCount: 10, scoreDistribution: { '0.0-0.2': 10, '0.8-1.0': 10 } },
      },
      performance: { base: { latency: { p50: 1000, mean: 1000 }, firstResponse: { p50: 10 }, totalDuration: 20_000 } },
      headToHead: { pairwise: [{ runA: 'base', runB: 'next', aWins: 10, bWins: 0, ties: 10 }] },
    });
    expect(comparison.comparisons.find(({ metric }) => metric === 'passRate')).toMatchObject({
      pairs: 20,
      difference: 0.5,
      // Ten discordant tasks, all in one direction.
      p: 2 / 1024,
      test: 'exact',
      isSignificant: true,
      better: 'base',
    });
    expect(comparison.regressions).toMatchObject([{ baseline: 'base', run: 'next', isWorse: true }]);
    expect(comparison.regressions[0]?.broken).toHaveLength(10);
  });

  it('tie when they differ by no more than the tie, and win against each other whatever a third does', async () => {
    const { headToHead } = (await compare(
      {
        a: [capture('x', { pass: true }), capture('y', { pass: false })],
        b: [capture('x', { pass: false }), capture('y', { pass: false })],
        c: [capture('x', { pass: true }), capture('y', { pass: true })],
      },
      { strategy: 'statistical' },
    )) as Extract<Comparison, { trajectoryInfo: unknown }>;
    expect(headToHead.pairwise).toEqual([
      { runA: 'a', runB: 'b', aWins: 1, bWins: 0, ties: 1 },
      { runA: 'a', runB: 'c', aWins: 0, bWins: 1, ties: 1 },
      { runA: 'b', runB: 'c', aWins: 0, bWins: 2, ties: 0 },
    ]);
    expect(headToHead.prompts.map(({ winner }) => winner)).toEqual([null, 'c']);
  });

  it('of one attempt a task never call a single task significant', async () => {
    const comparison = await compare(
      { a: ids.map((id) => capture(id, { pass: true })), b: ids.map((id) => capture(id, { pass: false })) },
      { strategy: 'statistical' },
    );
    expect(comparison.taskDifferences).toEqual([]);
    expect(comparison.comparisons[0]?.isSignificant).toBe(true);
    expect(comparison).toHaveProperty('quality.a.confidenceIntervals.passRate.0', expect.closeTo(0.8389, 3));
  });

  it('count as timed out by their field, and by the words of other harnesses', async () => {
    const { reliability } = (await compare({
      a: [
        capture('x', { failure: 'timeout', errors: ['It took longer than 5 s.'] }),
        capture('y', { errors: ['Prompt timed out after 60000ms'], toolErrors: true }),
        capture('z', { errors: ['timeout'], metadata: {} }),
        capture('w'),
      ],
      b: [capture('x'), capture('w')],
    })) as Extract<Comparison, { trajectoryInfo: unknown }>;
    expect(reliability.a).toMatchObject({ timeouts: 3, timeoutRate: 0.75, completionRate: 0.25, toolErrors: 1 });
  });

  it('have a failed attempt as a failure, but not one that the grader or the harness spoiled', async () => {
    const run = await readRun({
      label: 'a',
      source: lines([
        capture('passes', { pass: true }),
        capture('dies', { failure: 'died', errors: ['The agent exited with code 1.'] }),
        capture('ungraded', { graderError: 'The grader exited with code 2.' }),
        capture('unplaced', { failure: 'workspace', errors: ['The disk is full.'] }),
      ]),
    });
    const { quality } = compareRuns([run, { ...run, label: 'b' }]) as Extract<Comparison, { trajectoryInfo: unknown }>;
    expect(quality.a).toMatchObject({ passCount: 1, failCount: 1, passRate: 0.5 });
    expect([...run.cases.values()].map(({ attempts }) => attempts[0]?.cause?.kind)).toEqual([
      undefined,
      'died',
      'grader',
      'workspace',
    ]);
  });

  it('are weighted as the environment says', async () => {
    const runs = {
      good: [capture('x', { pass: true, timing: { start: 0, end: 9, total: 60_000, sessionCreation: 0 } })],
      fast: [capture('x', { pass: false, timing: { start: 0, end: 9, total: 100, sessionCreation: 0 } })],
    };
    const winner = async (env: Record<string, string>): Promise<unknown> =>
      ((await compare(runs, optionsFromEnv(env))) as Extract<Comparison, { trajectoryInfo: unknown }>).headToHead
        .prompts[0]?.winner;
    expect(await winner({})).toBe('good');
    expect(await winner({ COMPARE_QUALITY: '0.1', COMPARE_LATENCY: '0.8' })).toBe('fast');
    expect(() => optionsFromEnv({ COMPARE_QUALITY: 'much' })).toThrow('COMPARE_QUALITY is "much"');
    expect(() => optionsFromEnv({ COMPARE_BOOTSTRAP_ITERATIONS: '10' })).toThrow('a number from 100 on');
  });

  it('may be of the pipeline, and of a task that is there twice the last counts', async () => {
    const { trajectory, timing } = capture('x');
    const graded = {
      id: 'x',
      input: 'Do x.',
      output: 'Did x.',
      trajectory,
      toolErrors: false,
      rawLines: ['{}'],
      timing,
    };
    const run = await readRun({
      label: 'a',
      source: lines([
        { ...graded, score: { pass: false, score: 0 } },
        { ...graded, score: { pass: true, score: 1 } },
      ]),
    });
    expect(run).toMatchObject({ kind: 'captures', isGraded: true });
    expect([...run.cases.values()]).toMatchObject([{ id: 'x', attempts: [{ pass: true, toolCalls: 1 }] }]);
  });
});

describe('runs of trials', () => {
  const steady = ids.map((id) => trials(id, [true, true, true, true, true, true]));
  const flaky = ids.map((id, index) => trials(id, [true, index < 10, false, false, false, false]));

  it('are compared by capability, reliability and flakiness', async () => {
    const comparison = await compare({ steady, flaky });
    expect(trialsComparisonReport.parse(JSON.parse(JSON.stringify(comparison)))).toMatchObject({
      meta: { runs: ['steady', 'flaky'], trialsPerPrompt: 6, inputFormat: 'trials' },
      capability: { steady: { avgPassAtK: 1 } },
      reliability: { steady: { type: 'trial', avgPassExpK: 1 } },
      flakiness: { steady: { flakyPromptCount: 0 }, flaky: { flakyPromptCount: 20 } },
      headToHead: { overall: [{ aWins: 20, bWins: 0, ties: 0 }] },
    });
    expect((comparison as Extract<Comparison, { capability: unknown }>).flakiness.flaky?.topFlakyPrompts).toHaveLength(
      10,
    );
  });

  it('use the unbiased estimators where there are more trials than k', async () => {
    const { capability } = (await compare({
      a: [trials('x', [true, false, false, false], { k: 2 })],
      b: [trials('x', [true, false], { k: 2 })],
    })) as Extract<Comparison, { capability: unknown }>;
    expect(capability.a?.avgPassAtK).toBeCloseTo(0.5, 12);
    expect(capability.b?.avgPassAtK).toBeCloseTo(0.75, 12);
  });

  it('have a winner of a task by the statistical strategy only where trials show more than luck', async () => {
    const all = [true, true, true, true, true, true, true, true];
    const { perPrompt } = (await compare(
      {
        a: [trials('clear', all), trials('luck', [true, ...all.slice(1)])],
        b: [
          trials(
            'clear',
            all.map(() => false),
          ),
          trials('luck', [false, ...all.slice(1)]),
        ],
      },
      { strategy: 'statistical' },
    )) as Extract<Comparison, { capability: unknown }>;
    expect(perPrompt.map(({ id, reliabilityWinner }) => [id, reliabilityWinner])).toEqual([
      ['clear', 'a'],
      ['luck', null],
    ]);
  });

  it('are not compared with captures, nor a run with nothing', async () => {
    await expect(compare({ a: [capture('x')], b: [trials('x', [true])] })).rejects.toThrow(
      '"a" has captures, and "b" has trials',
    );
    await expect(compare({ a: [capture('x')] })).rejects.toThrow('two runs or more');
    await expect(compare({ a: [capture('x')], b: [] })).rejects.toThrow('has no results');
    await expect(compare({ a: [capture('x'), trials('x', [true])], b: [capture('x')] })).rejects.toThrow(
      'Line 2 is of trials in a file of captures',
    );
    await expect(compare({ a: [capture('x')], b: [capture('x')] }, { baseline: 'c' })).rejects.toThrow(
      'no run "c" to be the baseline; there are: a, b',
    );
  });
});

describe('a comparison grader', () => {
  const sources = () => [
    { label: 'a', source: lines([capture('x', { output: 'long answer' }), capture('y'), capture('only-a')]) },
    { label: 'b', source: lines([capture('y'), capture('x', { output: 'short' })]) },
  ];

  it('ranks the runs of a task, whatever the order of the files, and ranks decide', async () => {
    const asked: string[] = [];
    const { rankings, failures } = await rankTasks(sources(), async ({ id, runs }) => {
      asked.push(id);
      const order = Object.keys(runs).sort((one, other) => length(runs[one]) - length(runs[other]));
      return { rankings: order.map((run, index) => ({ run, rank: id === 'y' ? 1 : index + 1, score: 0.5 })) };
    });
    expect(asked.sort()).toEqual(['x', 'y']);
    expect(failures).toEqual([]);
    const rows = await Promise.all(sources().map((source) => readRun(source)));
    const comparison = compareRuns(rows, { strategy: 'custom', rankings });
    expect(comparison).toMatchObject({
      headToHead: { pairwise: [{ aWins: 0, bWins: 1, ties: 1 }] },
      meta: { promptsSkipped: 1 },
    });
  });

  it('that fails on a task is told of, and the others are ranked', async () => {
    const { rankings, failures } = await rankTasks(sources(), async ({ id }) => {
      if (id === 'x') throw new Error('no idea');
      return { rankings: [{ run: 'nobody', rank: 1, score: 1 }] };
    });
    expect(rankings.size).toBe(0);
    expect(failures.map(({ message }) => message).sort()).toEqual([
      'The grader ranks "nobody", which is no run of this task.',
      'no idea',
    ]);
  });
});

describe('labels', () => {
  it.each([
    [
      ['a.jsonl', 'b.jsonl'],
      ['a', 'b'],
    ],
    [
      ['old/results.jsonl', 'new/results.jsonl'],
      ['old/results', 'new/results'],
    ],
    [
      ['results', '.jsonl', '-'],
      ['results', '.jsonl', 'stdin'],
    ],
    [
      ['x.jsonl', 'x.jsonl'],
      ['x', 'x (2)'],
    ],
    [
      ['base=x.jsonl', 'x.jsonl'],
      ['base', 'x'],
    ],
    [
      ['/r/a=1/x.jsonl', 'y.jsonl'],
      ['x', 'y'],
    ],
    [
      ['x.jsonl', 'x.json'],
      ['x', 'x (2)'],
    ],
  ])('of %j are unique: %j', (words, labels) => {
    expect(labelRuns(words).map(({ label }) => label)).toEqual(labels);
  });

  it('that are given twice are refused', () => {
    expect(() => labelRuns(['a=x.jsonl', 'a=y.jsonl'])).toThrow('Two runs are called "a"');
  });
});

describe('a comparison in Markdown', () => {
  it('says first what was found, in sentences', async () => {
    const text = formatComparison(
      await compare({
        base: ids.map((id) => capture(id, { pass: true })),
        'next|one': ids.map((id, index) => capture(id, { pass: index > 9 })),
      }),
    );
    expect(text).toContain('- pass rate: base is better than next|one by 50.0 points');
    expect(text).toContain('time: base and next|one cannot be told apart');
    expect(text).toContain('| base | 100 % (20/20) | 83.9 % to 100 % |');
    expect(text).toContain('next\\|one fails where base passed: 10'.replace('\\', ''));
    expect(text).toContain('- `task-1`: 100 %, now 0 %');
    expect(text).toContain('| next\\|one | 50 % (10/20) |');
  });
});

function length(run: unknown): number {
  return (run as { readonly output: string }).output.length;
}
