import type { TrialsComparisonReport, TrialsPromptComparison } from '../formats/index.ts';
import { trialMetrics } from '../statistics/pass-at-k.ts';
import { idsOf, scoreForStrategy } from './compare-captures.ts';
import { comparePairwise, type ScoreTask, taskDifferences, winnerOf } from './decide-task.ts';
import { boundsOf, byLabel, countedAttempts, intervalOf, latencyStats, quartiles, taskValues } from './metrics.ts';
import { type CompareOptions, DEFAULT_WEIGHTS } from './options.ts';
import type { CaseRow, RunRows } from './runs/attempt-row.ts';
import { taskScore, triesOf } from './runs/task-values.ts';

/** How many of the flakiest tasks are named. */
const MAX_FLAKY_TASKS = 10;

/** The sections of a report on runs with several attempts a task. */
export function compareTrials(runs: readonly RunRows[], options: CompareOptions): Omit<TrialsComparisonReport, 'meta'> {
  const hasScores = runs.some((run) => taskValues(run, taskScore).length > 0);
  return {
    capability: byLabel(runs, (run) => capabilityOf(run, options)),
    reliability: byLabel(runs, (run) => consistencyOf(run, options)),
    flakiness: byLabel(runs, flakinessOf),
    ...(hasScores && { quality: byLabel(runs, (run) => scoresOf(run, options)) }),
    performance: byLabel(runs, (run) => performanceOf(run, options)),
    headToHead: {
      capability: comparePairwise(runs, passAtKOf, options.tie),
      reliability: comparePairwise(runs, passExpKOf, options.tie),
      overall: comparePairwise(runs, overallScore(options), options.tie),
    },
    perPrompt: comparePrompts(runs, options),
  };
}

export function passAtKOf(row: CaseRow): number | undefined {
  return trialMetrics(triesOf(row), row.k)?.passAtK;
}

export function passExpKOf(row: CaseRow): number | undefined {
  return trialMetrics(triesOf(row), row.k)?.passExpK;
}

/** The chance that k trials do not end alike. */
export function flakinessOfTask(row: CaseRow): number | undefined {
  const metrics = trialMetrics(triesOf(row), row.k);
  return metrics === undefined ? undefined : metrics.passAtK - metrics.passExpK;
}

function overallScore(options: CompareOptions): ScoreTask {
  const { strategy = 'weighted', weights = DEFAULT_WEIGHTS } = options;
  if (strategy !== 'weighted') return scoreForStrategy(options);
  const { capability, trialsReliability, consistency } = weights;
  return (row) => {
    const metrics = trialMetrics(triesOf(row), row.k);
    if (metrics === undefined) return undefined;
    const { passAtK, passExpK } = metrics;
    return capability * passAtK + trialsReliability * passExpK + consistency * (1 - (passAtK - passExpK));
  };
}

function capabilityOf(run: RunRows, options: CompareOptions): TrialsComparisonReport['capability'][string] {
  const values = taskValues(run, passAtKOf);
  const { avg, median, p25, p75 } = quartiles(values);
  const interval = options.strategy === 'statistical' ? intervalOf(values, options) : undefined;
  return {
    avgPassAtK: avg,
    medianPassAtK: median,
    p25PassAtK: p25,
    p75PassAtK: p75,
    ...(interval && { confidenceIntervals: { avgPassAtK: boundsOf(interval) } }),
  };
}

function consistencyOf(
  run: RunRows,
  options: CompareOptions,
): TrialsComparisonReport['reliability'][string] & { readonly type: 'trial' } {
  const values = taskValues(run, passExpKOf);
  const { avg, median, p25, p75 } = quartiles(values);
  const interval = options.strategy === 'statistical' ? intervalOf(values, options) : undefined;
  return {
    type: 'trial',
    avgPassExpK: avg,
    medianPassExpK: median,
    p25PassExpK: p25,
    p75PassExpK: p75,
    ...(interval && { confidenceIntervals: { avgPassExpK: boundsOf(interval) } }),
  };
}

function flakinessOf(run: RunRows): TrialsComparisonReport['flakiness'][string] {
  const tasks = [...run.cases.values()].map((row) => ({ id: row.id, flakiness: flakinessOfTask(row) ?? 0 }));
  const { avg, median } = quartiles(tasks.map(({ flakiness }) => flakiness));
  const flaky = tasks.filter(({ flakiness }) => flakiness > 0).sort((a, b) => b.flakiness - a.flakiness);
  return {
    avgFlakiness: avg,
    medianFlakiness: median,
    flakyPromptCount: flaky.length,
    topFlakyPrompts: flaky.slice(0, MAX_FLAKY_TASKS),
  };
}

function scoresOf(
  run: RunRows,
  options: CompareOptions,
): NonNullable<TrialsComparisonReport['quality']>[string] & { readonly type: 'trial' } {
  const values = taskValues(run, taskScore);
  const { avg, median, p25, p75 } = quartiles(values);
  const interval = options.strategy === 'statistical' ? intervalOf(values, options) : undefined;
  return {
    type: 'trial',
    avgScore: avg,
    medianScore: median,
    p25Score: p25,
    p75Score: p75,
    ...(interval && { confidenceIntervals: { avgScore: boundsOf(interval) } }),
  };
}

function performanceOf(
  run: RunRows,
  options: CompareOptions,
): NonNullable<TrialsComparisonReport['performance']>[string] {
  const durations = countedAttempts(run).map(({ durationMs }) => durationMs);
  const interval = options.strategy === 'statistical' ? intervalOf(durations, options) : undefined;
  return {
    latency: latencyStats(durations),
    totalDuration: durations.reduce((sum, duration) => sum + duration, 0),
    ...(interval && { confidenceIntervals: { latencyMean: boundsOf(interval) } }),
  };
}

/** By the statistical strategy a task has a winner only where its trials show more than luck, corrected for all tasks. */
function comparePrompts(runs: readonly RunRows[], options: CompareOptions): readonly TrialsPromptComparison[] {
  const isStatistical = options.strategy === 'statistical';
  const shown = new Set(isStatistical ? taskDifferences(runs, options).map(({ id }) => id) : []);
  return idsOf(runs).flatMap((id) => {
    const rows = runs.flatMap(({ label, cases }) => {
      const row = cases.get(id);
      return row === undefined ? [] : [{ label, row }];
    });
    if (rows.length < 2) return [];
    const valuesOf = (measure: (row: CaseRow) => number | undefined): Map<string, number> =>
      new Map(
        rows.flatMap(({ label, row }) => {
          const value = measure(row);
          return value === undefined ? [] : [[label, value] as const];
        }),
      );
    const [passAtK, passExpK, flakiness] = [valuesOf(passAtKOf), valuesOf(passExpKOf), valuesOf(flakinessOfTask)];
    const winner = (values: ReadonlyMap<string, number>): string | null =>
      isStatistical && !shown.has(id) ? null : winnerOf(values, options.tie);
    return [
      {
        id,
        capabilityWinner: winner(passAtK),
        reliabilityWinner: winner(passExpK),
        passAtK: Object.fromEntries(passAtK),
        passExpK: Object.fromEntries(passExpK),
        flakiness: Object.fromEntries(flakiness),
      },
    ];
  });
}
