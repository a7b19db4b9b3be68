import type { ReadLinesOptions, ValidationResult } from '../formats/index.ts';
import type { Grader } from '../graders/index.ts';
import { readCases } from '../runs/read-cases.ts';
import type { RunOptions } from '../runs/run-options.ts';

export interface ValidateOptions extends ReadLinesOptions {
  readonly grader: Grader;
}

/** A reference that was judged; `graderError` says why it was not. */
export type ValidatedReference = ValidationResult & { readonly graderError?: string };

/** Has the grader judge each case's own reference, which must pass. Cases without one are counted by `onSkip`. */
export async function* validateReferences(
  cases: RunOptions['cases'],
  { grader, ...options }: ValidateOptions & { readonly onSkip?: (id: string) => void },
): AsyncGenerator<ValidatedReference, void, undefined> {
  for await (const { id, input, hint, reference, metadata } of readCases(cases, options)) {
    if (reference === undefined) {
      options.onSkip?.(id);
      continue;
    }
    try {
      const params = {
        input,
        output: reference,
        reference,
        ...(hint !== undefined && { hint }),
        trajectory: [],
        ...(metadata && { metadata }),
      };
      const graderResult = await grader.grade(params, options.signal ? { signal: options.signal } : {});
      yield { id, reference, passes: graderResult.pass, graderResult };
    } catch (error) {
      options.signal?.throwIfAborted();
      const graderError = error instanceof Error ? error.message : String(error);
      yield {
        id,
        reference,
        passes: false,
        graderResult: { pass: false, score: 0, reasoning: graderError },
        graderError,
      };
    }
  }
}
