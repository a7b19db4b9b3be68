import { explainFailure } from '../attempts/failure.ts';
import type { ExtractedResult, GradedResult } from '../formats/pipeline.ts';
import type { Grader } from '../graders/grader.ts';

/** A result with what its grader found. A grader that fails is an error of its own, and the result stays whole. */
export async function gradeResult(
  result: ExtractedResult,
  grader: Grader,
  signal?: AbortSignal,
): Promise<GradedResult> {
  const { input, output, hint, reference, trajectory, metadata, cwd, error } = result;
  if (error !== undefined) return { ...result, score: { pass: false, score: 0, reasoning: `Error: ${error}` } };
  try {
    const params = {
      input,
      output,
      ...(hint !== undefined && { hint }),
      ...(reference !== undefined && { reference }),
      trajectory,
      ...(metadata && { metadata }),
      ...(cwd !== undefined && { cwd }),
    };
    const score = await grader.grade(params, signal ? { signal } : {});
    return { ...result, score, ...(score.outcome && { outcome: score.outcome }) };
  } catch (problem) {
    signal?.throwIfAborted();
    return { ...result, graderError: explainFailure(problem) };
  }
}
