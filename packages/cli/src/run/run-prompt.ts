import type { CliContext } from '../context.ts';
import { createRunOutput } from '../output/create-run-output.ts';
import { type PromptRun, performPrompt } from './perform-prompt.ts';

/** Runs one prompt, and tells everything on the output that `--format` asks for; resolves to the exit code. */
export async function runPrompt(run: PromptRun, context: CliContext): Promise<number> {
  const output = await createRunOutput(run.settings, context);
  const outcome = await performPrompt(run, output, context);
  output.onEnd(outcome);
  return outcome.exitCode;
}
