import { HarnessError } from '../errors.ts';
import type { ComparisonReport, TrialsComparisonReport } from '../formats/index.ts';
import { DEFAULT_LEVEL } from '../statistics/interval.ts';
import { DEFAULT_SEED } from '../statistics/random.ts';
import { compareCaptures, idsOf } from './compare-captures.ts';
import { compareTrials } from './compare-trials.ts';
import { type TaskDifference, taskDifferences } from './decide-task.ts';
import type { CompareOptions, Strategy } from './options.ts';
import { compareMetrics, type MetricComparison } from './paired-comparisons.ts';
import { findRegressions, type Regressions } from './regressions.ts';
import type { RunRows } from './runs/attempt-row.ts';

/** What this harness adds to the reports of others. */
export interface ComparisonAdditions {
  /** Every two runs in every metric, with intervals and corrected p-values. */
  readonly comparisons: readonly MetricComparison[];
  /** Tasks on which the trials of two runs differ more than luck explains. */
  readonly taskDifferences: readonly TaskDifference[];
  /** What changed since the baseline. */
  readonly regressions: readonly Regressions[];
}

export interface ComparisonFacts {
  readonly strategy: Strategy;
  readonly level: number;
  readonly seed: number;
  readonly baseline: string;
  /** Tasks that only one run has; they are not compared. */
  readonly promptsSkipped: number;
}

export type Comparison = (
  | (ComparisonReport & { readonly meta: ComparisonFacts & { readonly inputFormat: 'captures' } })
  | (TrialsComparisonReport & { readonly meta: ComparisonFacts & { readonly promptsWithAllRuns: number } })
) &
  ComparisonAdditions;

/** Compares two or more runs of the same kind, task by task. */
export function compareRuns(runs: readonly RunRows[], options: CompareOptions = {}): Comparison {
  const { strategy = 'weighted', level = DEFAULT_LEVEL, seed = DEFAULT_SEED, now = () => new Date() } = options;
  const [first] = runs;
  if (first === undefined || runs.length < 2) {
    throw new HarnessError('options_invalid', 'A comparison needs two runs or more.');
  }
  const other = runs.find(({ kind }) => kind !== first.kind);
  if (other !== undefined) {
    throw new HarnessError(
      'options_invalid',
      `"${first.label}" has ${first.kind}, and "${other.label}" has ${other.kind}. Compare results of one command with each other.`,
    );
  }
  const baseline = options.baseline ?? first.label;
  if (!runs.some(({ label }) => label === baseline)) {
    const labels = runs.map(({ label }) => label).join(', ');
    throw new HarnessError(
      'options_invalid',
      `There is no run "${baseline}" to be the baseline; there are: ${labels}.`,
    );
  }
  const ids = idsOf(runs);
  const presence = ids.map((id) => runs.filter(({ cases }) => cases.has(id)).length);
  const comparisons = compareMetrics(runs, options);
  const meta = {
    generatedAt: now().toISOString(),
    runs: runs.map(({ label }) => label),
    promptCount: ids.length,
    promptsWithAllRuns: presence.filter((count) => count === runs.length).length,
    strategy,
    level,
    seed,
    baseline,
    promptsSkipped: presence.filter((count) => count < 2).length,
  };
  const additions = {
    comparisons,
    taskDifferences: taskDifferences(runs, options),
    regressions: findRegressions(runs, baseline, comparisons),
  };
  if (first.kind === 'captures') {
    return { meta: { ...meta, inputFormat: 'captures' }, ...compareCaptures(runs, options), ...additions };
  }
  const trialsPerPrompt = runs
    .flatMap(({ cases }) => [...cases.values()])
    .reduce((most, { k }) => Math.max(most, k), 1);
  return {
    meta: { ...meta, trialsPerPrompt, inputFormat: 'trials' },
    ...compareTrials(runs, options),
    ...additions,
  };
}
