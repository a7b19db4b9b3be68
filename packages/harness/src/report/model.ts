import { type Comparison, compareRuns } from '../compare/compare-runs.ts';
import { flakinessOfTask, passAtKOf, passExpKOf } from '../compare/compare-trials.ts';
import { countedAttempts, intervalOf, taskValues } from '../compare/metrics.ts';
import { type AttemptRow, type CaseRow, isCounted, type RunRows } from '../compare/runs/attempt-row.ts';
import { isSolved, taskPassRate, triesOf } from '../compare/runs/task-values.ts';
import { DEFAULT_LEVEL, type Interval, wilsonInterval } from '../statistics/interval.ts';
import { mean, type Spread, spreadOf } from '../statistics/quantiles.ts';
import { DEFAULT_SEED } from '../statistics/random.ts';
import { type FailureGroup, groupFailures } from './failure-groups.ts';

export interface ReportOptions {
  /** Default: "Evaluation". */
  readonly title?: string;
  readonly level?: number;
  readonly seed?: number;
  /** The run that others are held against. Default: the first. */
  readonly baseline?: string;
  readonly now?: () => Date;
}

/** All that a report shows, but for the words of the cases. */
export interface ReportModel {
  readonly title: string;
  readonly generatedAt: string;
  readonly level: number;
  readonly seed: number;
  readonly baseline: string;
  readonly runs: readonly RunSummary[];
  /** Where there are two runs or more of one kind. */
  readonly comparison: Comparison | undefined;
  readonly tasks: readonly TaskSummary[];
  readonly failures: readonly FailureGroup[];
}

export interface RunSummary {
  readonly label: string;
  readonly rows: RunRows;
  readonly tasks: number;
  readonly attempts: number;
  /** Undefined where nothing was graded. */
  readonly passRate: number | undefined;
  readonly interval: Interval | undefined;
  readonly k: number;
  readonly passAtK: number | undefined;
  readonly passExpK: number | undefined;
  readonly flakiness: number | undefined;
  readonly durations: Spread | undefined;
  readonly tokens: Spread | undefined;
  readonly costs: Spread | undefined;
  readonly totalCost: number | undefined;
  readonly currency: string;
  readonly toolCalls: number;
  readonly denied: number;
  /** Attempts that ended in an error of the agent. */
  readonly errors: number;
  /** Attempts that were spoilt by the grader or the harness, and count for nobody. */
  readonly excluded: number;
}

/** A task over all runs. */
export interface TaskSummary {
  readonly id: string;
  /** One entry for each run; undefined where the run has not got the task. */
  readonly rows: readonly (CaseRow | undefined)[];
  /** Runs that solved it and runs that did not are both there. */
  readonly isDifferent: boolean;
  readonly hasFailure: boolean;
  /** The baseline solved it, and another run does not. */
  readonly isBroken: boolean;
}

export function createModel(runs: readonly RunRows[], options: ReportOptions = {}): ReportModel {
  const { title = 'Evaluation', level = DEFAULT_LEVEL, seed = DEFAULT_SEED, now = () => new Date() } = options;
  const baseline = options.baseline ?? runs[0]?.label ?? '';
  const isComparable = runs.length > 1 && runs.every(({ kind }) => kind === runs[0]?.kind);
  const ids = [...new Set(runs.flatMap(({ cases }) => [...cases.keys()]))];
  return {
    title,
    generatedAt: now().toISOString(),
    level,
    seed,
    baseline,
    runs: runs.map((rows) => summarizeRun(rows, { level, seed })),
    comparison: isComparable ? compareRuns(runs, { level, seed, baseline, strategy: 'statistical', now }) : undefined,
    tasks: ids.map((id) => summarizeTask(id, runs, baseline)),
    failures: groupFailures(runs),
  };
}

function summarizeRun(rows: RunRows, options: { readonly level: number; readonly seed: number }): RunSummary {
  const attempts = countedAttempts(rows);
  const all = [...rows.cases.values()];
  const rates = taskValues(rows, taskPassRate);
  const valuesOf = (measure: (attempt: AttemptRow) => number | undefined): number[] =>
    attempts.flatMap((attempt) => measure(attempt) ?? []);
  const costs = valuesOf(({ cost }) => cost);
  const average = (values: readonly number[]): number | undefined => (values.length === 0 ? undefined : mean(values));
  const [first] = all;
  return {
    label: rows.label,
    rows,
    tasks: rows.cases.size,
    attempts: all.reduce((sum, row) => sum + row.attempts.length, 0),
    passRate: average(rates),
    interval: rates.length === 0 ? undefined : rateInterval(all, rates, options),
    k: first?.k ?? 1,
    passAtK: average(taskValues(rows, passAtKOf)),
    passExpK: average(taskValues(rows, passExpKOf)),
    flakiness: average(taskValues(rows, flakinessOfTask)),
    durations: spreadOf(valuesOf(({ durationMs }) => durationMs)),
    tokens: spreadOf(valuesOf(({ tokens }) => tokens)),
    costs: spreadOf(costs),
    totalCost: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0),
    currency: attempts.find(({ currency }) => currency !== undefined)?.currency ?? 'USD',
    toolCalls: average(valuesOf(({ toolCalls }) => toolCalls)) ?? 0,
    denied: valuesOf(({ denied }) => denied).reduce((sum, count) => sum + count, 0),
    errors: attempts.filter(({ hasErrors, isTimeout }) => hasErrors || isTimeout).length,
    excluded: all.reduce((sum, row) => sum + row.attempts.filter((attempt) => !isCounted(attempt)).length, 0),
  };
}

/** One attempt a task: Wilson's. Several: tasks are drawn, since attempts at one task are not independent. */
function rateInterval(
  rows: readonly CaseRow[],
  rates: readonly number[],
  options: { readonly level: number; readonly seed: number },
): Interval | undefined {
  const tries = rows.map(triesOf);
  if (tries.some(({ trials }) => trials > 1)) return intervalOf(rates, options);
  const passes = tries.reduce((sum, each) => sum + each.passes, 0);
  return wilsonInterval({ passes, trials: rates.length }, options.level);
}

function summarizeTask(id: string, runs: readonly RunRows[], baseline: string): TaskSummary {
  const rows = runs.map(({ cases }) => cases.get(id));
  const solved = rows.map((row) => row && isSolved(row));
  const base = solved[runs.findIndex(({ label }) => label === baseline)];
  return {
    id,
    rows,
    isDifferent: solved.includes(true) && solved.includes(false),
    hasFailure: rows.some((row) => row?.attempts.some(({ pass, cause }) => pass === false || cause !== undefined)),
    isBroken: base === true && solved.includes(false),
  };
}
