import { HarnessError } from '@parley/harness';
import { CliError } from '../../errors.ts';

/** A file, a grader or a combination of flags that cannot be used is the person's to repair. */
export function explainHarnessError(error: unknown): unknown {
  return error instanceof HarnessError ? new CliError('usage', error.message, { cause: error }) : error;
}

/** Does something with files and graders; what is wrong with them is told as a wrong command line is. */
export async function withExplanation<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw explainHarnessError(error);
  }
}
