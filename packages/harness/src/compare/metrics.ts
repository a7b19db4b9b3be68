import type { Interval as Bounds, LatencyStats } from '../formats/index.ts';
import { bootstrapInterval } from '../statistics/bootstrap.ts';
import type { Interval } from '../statistics/interval.ts';
import { spreadOf } from '../statistics/quantiles.ts';
import type { CompareOptions } from './options.ts';
import { type AttemptRow, type CaseRow, isCounted, type RunRows } from './runs/attempt-row.ts';

/** Attempts that say something of the agent. */
export function countedAttempts({ cases }: Pick<RunRows, 'cases'>): readonly AttemptRow[] {
  return [...cases.values()].flatMap(({ attempts }) => attempts.filter(isCounted));
}

/** The share of attempts that passed, of those that were judged; undefined where none was. */
export function passRateOf(run: Pick<RunRows, 'cases'>): number | undefined {
  const judged = countedAttempts(run).filter(({ pass }) => pass !== undefined);
  return judged.length === 0 ? undefined : judged.filter(({ pass }) => pass).length / judged.length;
}

/** One value for each task that has it. */
export function taskValues(
  { cases }: Pick<RunRows, 'cases'>,
  measure: (row: CaseRow) => number | undefined,
): readonly number[] {
  return [...cases.values()].flatMap((row) => measure(row) ?? []);
}

export function latencyStats(values: readonly number[]): LatencyStats {
  const { p50 = 0, p90 = 0, p99 = 0, mean = 0, min = 0, max = 0 } = spreadOf(values) ?? {};
  return { p50, p90, p99, mean, min, max };
}

/** Mean, median and quartiles; zeros where there are no values. */
export function quartiles(values: readonly number[]): {
  readonly avg: number;
  readonly median: number;
  readonly p25: number;
  readonly p75: number;
} {
  const { mean = 0, p50 = 0, p25 = 0, p75 = 0 } = spreadOf(values) ?? {};
  return { avg: mean, median: p50, p25, p75 };
}

export function intervalOf(values: readonly number[], options: CompareOptions): Interval | undefined {
  const { level, seed, bootstrapIterations } = options;
  return bootstrapInterval(values, {
    ...(level !== undefined && { level }),
    ...(seed !== undefined && { seed }),
    ...(bootstrapIterations !== undefined && { iterations: bootstrapIterations }),
  });
}

export function boundsOf({ low, high }: Interval): Bounds {
  return [low, high];
}

export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** By label, in the order of the runs. */
export function byLabel<Value>(runs: readonly RunRows[], measure: (run: RunRows) => Value): Record<string, Value> {
  return Object.fromEntries(runs.map((run) => [run.label, measure(run)]));
}

/** Every two runs, the earlier first. */
export function pairsOf<Run>(runs: readonly Run[]): readonly (readonly [Run, Run])[] {
  return runs.flatMap((first, index) => runs.slice(index + 1).map((second) => [first, second] as const));
}
