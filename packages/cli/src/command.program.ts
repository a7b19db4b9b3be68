// Everything else that `parley` does: the command line is parsed, and the command's file is loaded.
import { leave } from '@parley/host/command-line';
import { processContext } from './context.ts';
import { runMain } from './run-main.ts';

/** Runs one command line to its end, then ends the process. */
export async function run(argv: readonly string[], programPath: string): Promise<void> {
  const context = processContext(programPath);
  void leave(await runMain(argv, context), context);
}
