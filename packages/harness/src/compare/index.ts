export { type Comparison, type ComparisonAdditions, type ComparisonFacts, compareRuns } from './compare-runs.ts';
export { type CompareTask, type CustomRankings, type RankingFailure, rankTasks } from './custom-rankings.ts';
export type { TaskDifference } from './decide-task.ts';
export { formatComparison } from './format-markdown.ts';
export { passRateOf } from './metrics.ts';
export {
  type CompareOptions,
  DEFAULT_WEIGHTS,
  optionsFromEnv,
  STRATEGIES,
  type Strategy,
  type Weights,
} from './options.ts';
export type { ComparedMetric, MetricComparison } from './paired-comparisons.ts';
export type { Regressions, TaskChange } from './regressions.ts';
export type { AttemptRow, CaseRow, FailureCause, FailureKind, RunKind, RunRows } from './runs/attempt-row.ts';
export { labelRuns, type NamedFile } from './runs/label-runs.ts';
export { type Result, readResults } from './runs/read-results.ts';
export { type ReadRunOptions, type RunSource, readRun } from './runs/read-run.ts';
