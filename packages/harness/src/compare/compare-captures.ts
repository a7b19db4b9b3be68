import {
  type ComparisonReport,
  type PromptComparison,
  type QualityMetrics,
  SCORE_BUCKETS,
  type ScoreBucket,
} from '../formats/index.ts';
import { type Interval, wilsonInterval } from '../statistics/interval.ts';
import { mean } from '../statistics/quantiles.ts';
import { comparePairwise, type ScoreTask, winnerOf } from './decide-task.ts';
import { boundsOf, byLabel, countedAttempts, intervalOf, latencyStats, shareOf, taskValues } from './metrics.ts';
import { type CompareOptions, DEFAULT_WEIGHTS } from './options.ts';
import { type AttemptRow, type CaseRow, isCounted, type RunRows } from './runs/attempt-row.ts';
import { taskScore } from './runs/task-values.ts';

/** The sections of a report on runs with one attempt a task. */
export function compareCaptures(runs: readonly RunRows[], options: CompareOptions): Omit<ComparisonReport, 'meta'> {
  const scoreTask = scoreForStrategy(options);
  return {
    quality: byLabel(runs, (run) => qualityOf(run, options)),
    performance: byLabel(runs, (run) => performanceOf(run, options)),
    reliability: byLabel(runs, reliabilityOf),
    trajectoryInfo: byLabel(runs, trajectoryInfoOf),
    headToHead: {
      prompts: comparePrompts(runs, scoreTask, options),
      pairwise: comparePairwise(runs, scoreTask, options.tie),
    },
  };
}

/** The one number that decides a task. */
export function scoreForStrategy(options: CompareOptions): ScoreTask {
  const { strategy = 'weighted', weights = DEFAULT_WEIGHTS, rankings } = options;
  if (strategy === 'custom') return (row, label) => rankings?.get(row.id)?.get(label);
  if (strategy === 'statistical') return taskScore;
  return (row) => {
    const attempt = row.attempts.find(isCounted);
    if (attempt === undefined) return undefined;
    const { quality, latency, reliability } = weights;
    return (
      quality * (taskScore(row) ?? 0) + latency / (1 + attempt.durationMs / 1000) + reliability * calmness(attempt)
    );
  };
}

function calmness({ hasErrors, hasToolErrors, isTimeout }: AttemptRow): number {
  return hasErrors || hasToolErrors || isTimeout ? 0 : 1;
}

function qualityOf(run: RunRows, options: CompareOptions): QualityMetrics & QualityIntervals {
  const attempts = countedAttempts(run);
  const judged = attempts.filter(({ pass }) => pass !== undefined);
  const passCount = judged.filter(({ pass }) => pass).length;
  const scores = taskValues(run, taskScore);
  const passRateInterval = wilsonInterval({ passes: passCount, trials: judged.length }, options.level);
  const scoreInterval = intervalOf(scores, options);
  return {
    type: 'run',
    avgScore: scores.length === 0 ? 0 : mean(scores),
    passRate: shareOf(passCount, judged.length),
    passCount,
    failCount: judged.length - passCount,
    scoreDistribution: distributionOf(scores),
    ...(options.strategy === 'statistical' && {
      confidenceIntervals: {
        ...(scoreInterval && { avgScore: boundsOf(scoreInterval) }),
        ...(passRateInterval && { passRate: boundsOf(passRateInterval) }),
      },
    }),
    ...(passRateInterval && { passRateInterval }),
    ...(scoreInterval && { avgScoreInterval: scoreInterval }),
  };
}

/** What this harness adds: the intervals, always, with how they were made. */
interface QualityIntervals {
  readonly type: 'run';
  readonly passRateInterval?: Interval;
  readonly avgScoreInterval?: Interval;
}

function distributionOf(scores: readonly number[]): Record<ScoreBucket, number> {
  const counts: Record<ScoreBucket, number> = { '0.0-0.2': 0, '0.2-0.4': 0, '0.4-0.6': 0, '0.6-0.8': 0, '0.8-1.0': 0 };
  for (const score of scores) {
    const bucket = SCORE_BUCKETS[Math.min(4, Math.floor(score * 5 + 1e-9))];
    if (bucket !== undefined) counts[bucket]++;
  }
  return counts;
}

function performanceOf(run: RunRows, options: CompareOptions): ComparisonReport['performance'][string] {
  const attempts = countedAttempts(run);
  const durations = attempts.map(({ durationMs }) => durationMs);
  const firsts = attempts.flatMap(({ firstResponseMs }) => firstResponseMs ?? []);
  const interval = options.strategy === 'statistical' ? intervalOf(durations, options) : undefined;
  return {
    latency: latencyStats(durations),
    ...(firsts.length > 0 && { firstResponse: latencyStats(firsts) }),
    totalDuration: durations.reduce((sum, duration) => sum + duration, 0),
    ...(interval && { confidenceIntervals: { latencyMean: boundsOf(interval) } }),
  };
}

function reliabilityOf(run: RunRows): ComparisonReport['reliability'][string] & { readonly type: 'run' } {
  const attempts = countedAttempts(run);
  const count = (test: (attempt: AttemptRow) => boolean): number => attempts.filter(test).length;
  const toolErrors = count(({ hasToolErrors }) => hasToolErrors);
  const timeouts = count(({ isTimeout }) => isTimeout);
  return {
    type: 'run',
    toolErrors,
    toolErrorRate: shareOf(toolErrors, attempts.length),
    timeouts,
    timeoutRate: shareOf(timeouts, attempts.length),
    completionRate: shareOf(
      count(({ hasErrors, isTimeout }) => !hasErrors && !isTimeout),
      attempts.length,
    ),
  };
}

function trajectoryInfoOf(run: RunRows): ComparisonReport['trajectoryInfo'][string] {
  const rows = [...run.cases.values()];
  const steps = rows.flatMap(({ attempts }) => attempts.map((attempt) => attempt.steps));
  const richest = ['full', 'messages-only', 'minimal'].find((richness) =>
    rows.some((row) => row.richness === richness),
  );
  return { richness: richest ?? 'minimal', avgStepCount: steps.length === 0 ? 0 : mean(steps) };
}

function comparePrompts(
  runs: readonly RunRows[],
  scoreTask: ScoreTask,
  { tie }: CompareOptions,
): readonly PromptComparison[] {
  return idsOf(runs).flatMap((id) => {
    const rows = runs.flatMap(({ label, cases }) => {
      const row = cases.get(id);
      return row === undefined ? [] : [{ label, row }];
    });
    if (rows.length < 2) return [];
    const scores = new Map(rows.flatMap(({ label, row }) => entry(label, scoreTask(row, label))));
    return [
      {
        id,
        winner: winnerOf(scores, tie),
        scores: Object.fromEntries(scores),
        latencies: Object.fromEntries(rows.map(({ label, row }) => [label, row.attempts[0]?.durationMs ?? 0])),
        hadErrors: Object.fromEntries(rows.map(({ label, row }) => [label, hadErrors(row)])),
      },
    ];
  });
}

function entry(label: string, value: number | undefined): readonly (readonly [string, number])[] {
  return value === undefined ? [] : [[label, value]];
}

function hadErrors({ attempts }: CaseRow): boolean {
  return attempts.some(({ hasErrors, hasToolErrors }) => hasErrors || hasToolErrors);
}

/** Every task of any run, in the order in which they are met. */
export function idsOf(runs: readonly RunRows[]): readonly string[] {
  return [...new Set(runs.flatMap(({ cases }) => [...cases.keys()]))];
}
