import type { PairwiseComparison } from '../formats/index.ts';
import { benjaminiHochberg } from '../statistics/corrections.ts';
import { fisherExactTest } from '../statistics/fisher.ts';
import { DEFAULT_LEVEL } from '../statistics/interval.ts';
import { pairsOf } from './metrics.ts';
import { type CompareOptions, DEFAULT_TIE } from './options.ts';
import type { CaseRow, RunRows } from './runs/attempt-row.ts';
import { triesOf } from './runs/task-values.ts';

/** How good a run is on a task, as one number; undefined where it has no say. */
export type ScoreTask = (row: CaseRow, label: string) => number | undefined;

/** The best run of a task; null when nobody is ahead by more than the tie. */
export function winnerOf(scores: ReadonlyMap<string, number>, tie: number = DEFAULT_TIE): string | null {
  const [first, second] = [...scores].sort(([, a], [, b]) => b - a);
  if (first === undefined || second === undefined) return null;
  return first[1] - second[1] > tie ? first[0] : null;
}

/** Wins, losses and ties of every two runs, on the tasks that both have. Other runs have no part in it. */
export function comparePairwise(
  runs: readonly RunRows[],
  scoreTask: ScoreTask,
  tie: number = DEFAULT_TIE,
): readonly PairwiseComparison[] {
  return pairsOf(runs).map(([a, b]) => {
    let [aWins, bWins, ties] = [0, 0, 0];
    for (const [id, row] of a.cases) {
      const other = b.cases.get(id);
      const scoreA = scoreTask(row, a.label);
      const scoreB = other && scoreTask(other, b.label);
      if (scoreA === undefined || scoreB === undefined) continue;
      if (scoreA - scoreB > tie) aWins++;
      else if (scoreB - scoreA > tie) bWins++;
      else ties++;
    }
    return { runA: a.label, runB: b.label, aWins, bWins, ties };
  });
}

/** A task on which two runs differ more than luck explains. */
export interface TaskDifference {
  readonly id: string;
  readonly runA: string;
  readonly runB: string;
  readonly passRateA: number;
  readonly passRateB: number;
  /** Of Fisher's exact test. */
  readonly p: number;
  /** Corrected for all tasks of the two runs by the method of Benjamini and Hochberg. */
  readonly pAdjusted: number;
}

/** Tasks that differ between two runs, judged by their trials. One attempt on each side can show nothing, and does not. */
export function taskDifferences(
  runs: readonly RunRows[],
  { level = DEFAULT_LEVEL }: CompareOptions,
): readonly TaskDifference[] {
  return pairsOf(runs).flatMap(([a, b]) => {
    const found = [...a.cases].flatMap(([id, row]) => {
      const other = b.cases.get(id);
      const [first, second] = [triesOf(row), other ? triesOf(other) : { passes: 0, trials: 0 }];
      if (first.trials === 0 || second.trials === 0) return [];
      const rates = { passRateA: first.passes / first.trials, passRateB: second.passes / second.trials };
      return [{ id, runA: a.label, runB: b.label, ...rates, p: fisherExactTest(first, second) }];
    });
    const adjusted = benjaminiHochberg(found.map(({ p }) => p));
    return found
      .map((one, index) => ({ ...one, pAdjusted: adjusted[index] ?? 1 }))
      .filter(({ pAdjusted }) => pAdjusted < 1 - level);
  });
}
