// `parley exec`: one prompt, as scripts run it by the hundred. A bundle without the other commands opens a third of their files.
import { leave } from '@parley/host/command-line';
import * as exec from './commands/exec.ts';
import { processContext } from './context.ts';
import { runCommandLine } from './run-command-line.ts';

/** Runs a command line that begins with `exec`, then ends the process. */
export async function run(argv: readonly string[], programPath: string): Promise<void> {
  const context = processContext(programPath);
  void leave(await runCommandLine(argv, context, async () => exec), context);
}
