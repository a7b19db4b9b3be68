import type { Tries } from '../../statistics/pass-at-k.ts';
import { mean } from '../../statistics/quantiles.ts';
import { type AttemptRow, type CaseRow, isCounted } from './attempt-row.ts';

/** Attempts that were judged, and those of them that passed. */
export function triesOf({ attempts }: CaseRow): Tries {
  const judged = attempts.filter((attempt) => isCounted(attempt) && attempt.pass !== undefined);
  return { passes: judged.filter(({ pass }) => pass).length, trials: judged.length };
}

/** One number for a task: the mean over its attempts that have it; undefined where none has. */
export function taskMean(row: CaseRow, measure: (attempt: AttemptRow) => number | undefined): number | undefined {
  const values = row.attempts.filter(isCounted).flatMap((attempt) => measure(attempt) ?? []);
  return values.length === 0 ? undefined : mean(values);
}

export function taskPassRate(row: CaseRow): number | undefined {
  const { passes, trials } = triesOf(row);
  return trials === 0 ? undefined : passes / trials;
}

export function taskScore(row: CaseRow): number | undefined {
  return taskMean(row, ({ score, pass }) => score ?? (pass === undefined ? undefined : Number(pass)));
}

export function taskDuration(row: CaseRow): number | undefined {
  return taskMean(row, ({ durationMs }) => durationMs);
}

/** Whether a task counts as solved: at least half of its attempts passed. Undefined where nothing was judged. */
export function isSolved(row: CaseRow): boolean | undefined {
  const rate = taskPassRate(row);
  return rate === undefined ? undefined : rate >= 0.5;
}
