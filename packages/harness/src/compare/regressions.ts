import type { MetricComparison } from './paired-comparisons.ts';
import type { RunRows } from './runs/attempt-row.ts';
import { isSolved, taskPassRate } from './runs/task-values.ts';

/** What became worse or better since a baseline, run by run. */
export interface Regressions {
  readonly baseline: string;
  readonly run: string;
  /** The pass rate, or where there is none the score, is lower than luck explains. */
  readonly isWorse: boolean;
  /** Tasks that the baseline solved and this run does not. */
  readonly broken: readonly TaskChange[];
  /** Tasks that this run solved and the baseline does not. */
  readonly repaired: readonly TaskChange[];
}

export interface TaskChange {
  readonly id: string;
  readonly before: number;
  readonly after: number;
}

export function findRegressions(
  runs: readonly RunRows[],
  baseline: string,
  comparisons: readonly MetricComparison[],
): readonly Regressions[] {
  const base = runs.find(({ label }) => label === baseline);
  return runs
    .filter(({ label }) => label !== baseline)
    .map((run) => {
      const changes = [...(base?.cases ?? [])].flatMap(([id, row]) => {
        const now = run.cases.get(id);
        if (now === undefined || isSolved(row) === isSolved(now)) return [];
        const [before, after] = [taskPassRate(row), taskPassRate(now)];
        return before === undefined || after === undefined ? [] : [{ id, before, after }];
      });
      const isWorse = comparisons.some(
        ({ metric, runA, runB, better }) =>
          ['passRate', 'score'].includes(metric) && better === baseline && [runA, runB].includes(run.label),
      );
      return {
        baseline,
        run: run.label,
        isWorse,
        broken: changes.filter(({ before, after }) => after < before),
        repaired: changes.filter(({ before, after }) => after > before),
      };
    });
}
