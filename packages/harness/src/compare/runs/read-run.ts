import { HarnessError } from '../../errors.ts';
import type { LineSource, ReadLinesOptions } from '../../formats/index.ts';
import { nameOf } from '../../formats/read-lines.ts';
import type { AttemptRow, CaseRow, RunRows } from './attempt-row.ts';
import { type Result, readResults } from './read-results.ts';
import { rowOfCapture, rowOfTrials } from './to-rows.ts';

export interface RunSource {
  readonly label: string;
  readonly source: LineSource;
}

export interface ReadRunOptions extends ReadLinesOptions {
  /** Sees each result whole, before only its numbers are kept. */
  readonly onResult?: (result: Result) => void;
}

/** Reads one run into rows: of a result only numbers and a cause stay in memory. Of a task that is there twice, the last counts. */
export async function readRun({ label, source }: RunSource, options: ReadRunOptions = {}): Promise<RunRows> {
  const cases = new Map<string, CaseRow>();
  let kind: Result['kind'] | undefined;
  for await (const result of readResults(source, options)) {
    kind = result.kind;
    options.onResult?.(result);
    const row = result.kind === 'trials' ? rowOfTrials(result.value) : rowOfCapture(result.value);
    cases.set(row.id, row);
  }
  if (kind === undefined) {
    throw new HarnessError('file_unusable', `${nameOf(source, options)} has no results in it.`);
  }
  const isGraded = [...cases.values()].some(({ attempts }) => attempts.some(({ pass }) => pass !== undefined));
  if (isGraded) for (const [id, row] of cases) cases.set(id, { ...row, attempts: row.attempts.map(judged) });
  return { label, kind, cases, isGraded };
}

/** In a run with a grader, an attempt that never got to it has not passed, unless the evaluation itself is to blame. */
function judged(attempt: AttemptRow): AttemptRow {
  if (attempt.pass !== undefined || attempt.cause === undefined) return attempt;
  if (attempt.cause.kind === 'grader' || attempt.cause.kind === 'workspace') return attempt;
  return { ...attempt, pass: false, score: attempt.score ?? 0 };
}
