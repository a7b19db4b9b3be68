import { HarnessError } from '../errors.ts';

/** A grader gave no result that can be used. What it was to judge is not lost by that. */
export class GraderError extends HarnessError {
  override readonly name = 'GraderError';

  constructor(message: string, cause?: unknown) {
    super('grader_failed', message, cause === undefined ? undefined : { cause });
  }
}
