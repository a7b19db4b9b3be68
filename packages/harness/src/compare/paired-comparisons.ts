import { holm } from '../statistics/corrections.ts';
import { DEFAULT_LEVEL, type Interval } from '../statistics/interval.ts';
import { comparePaired } from '../statistics/paired.ts';
import { pairsOf } from './metrics.ts';
import type { CompareOptions } from './options.ts';
import type { CaseRow, RunRows } from './runs/attempt-row.ts';
import { taskDuration, taskMean, taskPassRate, taskScore } from './runs/task-values.ts';

export type ComparedMetric = 'passRate' | 'score' | 'durationMs' | 'cost';

/** Two runs on the tasks that both have, in one metric: by how much they differ, and whether that may be luck. */
export interface MetricComparison {
  readonly metric: ComparedMetric;
  readonly runA: string;
  readonly runB: string;
  /** Tasks that both have. */
  readonly pairs: number;
  readonly aWins: number;
  readonly bWins: number;
  readonly ties: number;
  readonly meanA: number;
  readonly meanB: number;
  /** Mean of A minus B over tasks. */
  readonly difference: number;
  readonly interval: Interval;
  /** Of a permutation test of the paired differences, in either direction. */
  readonly p: number;
  readonly test: 'exact' | 'sampled';
  readonly permutations: number;
  /** The same, corrected by Holm's method for all pairs of runs in this metric. */
  readonly pAdjusted: number;
  readonly isSignificant: boolean;
  /** The better run, when the difference is significant. */
  readonly better: string | null;
}

const METRICS: Readonly<
  Record<ComparedMetric, { measure(row: CaseRow): number | undefined; lowerIsBetter?: boolean }>
> = {
  passRate: { measure: taskPassRate },
  score: { measure: taskScore },
  durationMs: { measure: taskDuration, lowerIsBetter: true },
  cost: { measure: (row) => taskMean(row, ({ cost }) => cost), lowerIsBetter: true },
};

/** Every two runs in every metric that both have. */
export function compareMetrics(runs: readonly RunRows[], options: CompareOptions): readonly MetricComparison[] {
  return (Object.keys(METRICS) as ComparedMetric[]).flatMap((metric) => {
    const found = pairsOf(runs).flatMap(([a, b]) => compareTwo(metric, a, b, options) ?? []);
    const adjusted = holm(found.map(({ p }) => p));
    return found.map((one, index) => judge(one, adjusted[index] ?? 1, options));
  });
}

type Unjudged = Omit<MetricComparison, 'pAdjusted' | 'isSignificant' | 'better'>;

function compareTwo(metric: ComparedMetric, a: RunRows, b: RunRows, options: CompareOptions): Unjudged | undefined {
  const { measure, lowerIsBetter = false } = METRICS[metric];
  const [valuesA, valuesB]: [number[], number[]] = [[], []];
  for (const [id, row] of a.cases) {
    const other = b.cases.get(id);
    const [valueA, valueB] = [measure(row), other && measure(other)];
    if (valueA === undefined || valueB === undefined) continue;
    valuesA.push(valueA);
    valuesB.push(valueB);
  }
  // Where scores are nothing but passes, they would say the same again.
  if (metric === 'score' && [...valuesA, ...valuesB].every((value) => value === 0 || value === 1)) return undefined;
  const { level, seed, bootstrapIterations } = options;
  const compared = comparePaired(valuesA, valuesB, {
    ...(level !== undefined && { level }),
    ...(seed !== undefined && { seed }),
    ...(bootstrapIterations !== undefined && { iterations: bootstrapIterations }),
  });
  if (compared === undefined) return undefined;
  const { pairs, wins, losses, ties, difference, interval, test } = compared;
  return {
    metric,
    runA: a.label,
    runB: b.label,
    pairs,
    aWins: lowerIsBetter ? losses : wins,
    bWins: lowerIsBetter ? wins : losses,
    ties,
    meanA: average(valuesA),
    meanB: average(valuesB),
    difference,
    interval,
    p: test.p,
    test: test.method,
    permutations: test.permutations,
  };
}

function judge(one: Unjudged, pAdjusted: number, { level = DEFAULT_LEVEL }: CompareOptions): MetricComparison {
  const isSignificant = pAdjusted < 1 - level;
  const isAHigher = one.difference > 0;
  const isABetter = METRICS[one.metric].lowerIsBetter === true ? !isAHigher : isAHigher;
  return { ...one, pAdjusted, isSignificant, better: isSignificant ? (isABetter ? one.runA : one.runB) : null };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
