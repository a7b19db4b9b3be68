import { HarnessError } from '../errors.ts';
import type {
  ComparedCapture,
  ComparedTrials,
  ComparisonGraderParams,
  ComparisonGraderResult,
  ReadLinesOptions,
} from '../formats/index.ts';
import { type Result, readResults } from './runs/read-results.ts';
import type { RunSource } from './runs/read-run.ts';

/** Ranks the runs of one task. */
export type CompareTask = (params: ComparisonGraderParams) => Promise<ComparisonGraderResult>;

/** A task on which the comparison grader failed, and how. */
export interface RankingFailure {
  readonly id: string;
  readonly message: string;
}

export interface CustomRankings {
  readonly rankings: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly reasons: ReadonlyMap<string, string>;
  readonly failures: readonly RankingFailure[];
}

/**
 * Has a comparison grader rank every task that two runs or more have. All files are read side by side, and a task is let go as
 * soon as every run has shown it: files in the same order need the memory of a few results. A task that fails is told, not thrown.
 */
export async function rankTasks(
  sources: readonly RunSource[],
  compareTask: CompareTask,
  options: ReadLinesOptions = {},
): Promise<CustomRankings> {
  const rankings = new Map<string, ReadonlyMap<string, number>>();
  const reasons = new Map<string, string>();
  const failures: RankingFailure[] = [];
  const waiting = new Map<string, Map<string, Result>>();
  const rank = async (id: string, results: ReadonlyMap<string, Result>): Promise<void> => {
    if (results.size < 2) return;
    try {
      const { rankings: found, reasoning } = await compareTask(paramsOf(id, results));
      rankings.set(id, scoresOf(found, results));
      if (reasoning !== undefined) reasons.set(id, reasoning);
    } catch (error) {
      failures.push({ id, message: error instanceof Error ? error.message : String(error) });
    }
  };
  for await (const { label, result } of sideBySide(sources, options)) {
    const { id } = result.value;
    const results = waiting.get(id) ?? new Map<string, Result>();
    waiting.set(id, results.set(label, result));
    if (results.size < sources.length) continue;
    waiting.delete(id);
    await rank(id, results);
  }
  for (const [id, results] of waiting) await rank(id, results);
  return { rankings, reasons, failures };
}

async function* sideBySide(
  sources: readonly RunSource[],
  options: ReadLinesOptions,
): AsyncGenerator<{ readonly label: string; readonly result: Result }> {
  let open = sources.map(({ label, source }) => ({ label, lines: readResults(source, options) }));
  try {
    while (open.length > 0) {
      const ended = new Set<(typeof open)[number]>();
      for (const each of open) {
        const { done, value } = await each.lines.next();
        if (done) ended.add(each);
        else yield { label: each.label, result: value };
      }
      open = open.filter((each) => !ended.has(each));
    }
  } finally {
    for (const { lines } of open) await lines.return();
  }
}

function paramsOf(id: string, results: ReadonlyMap<string, Result>): ComparisonGraderParams {
  const [first] = results.values();
  const { input = '', hint, metadata } = first?.value ?? {};
  return {
    id,
    input,
    ...(hint !== undefined && { hint }),
    ...(metadata !== undefined && { metadata }),
    runs: Object.fromEntries([...results].map(([label, result]) => [label, comparedOf(result)])),
  };
}

function comparedOf(result: Result): ComparedCapture | ComparedTrials {
  if (result.kind === 'trials') {
    const { passRate, passAtK, passExpK, k, trials } = result.value;
    return {
      k,
      trials,
      ...(passRate !== undefined && { passRate }),
      ...(passAtK !== undefined && { passAtK }),
      ...(passExpK !== undefined && { passExpK }),
    };
  }
  const { output, trajectory, score, timing, toolErrors } = result.value;
  return { output, trajectory, ...(score && { score }), duration: timing.total, toolErrors };
}

/** Ranks decide, whatever the scores are: equal ranks tie, and the distance of two ranks is more than any tie. */
function scoresOf(
  found: ComparisonGraderResult['rankings'],
  results: ReadonlyMap<string, Result>,
): ReadonlyMap<string, number> {
  const unknown = found.find(({ run }) => !results.has(run));
  if (unknown !== undefined) {
    throw new HarnessError('grader_failed', `The grader ranks "${unknown.run}", which is no run of this task.`);
  }
  return new Map(found.map(({ run, rank }) => [run, -rank]));
}
