import { loadCommand } from './commands/load-command.ts';
import type { CliContext } from './context.ts';
import { runCommandLine } from './run-command-line.ts';

/** Runs one command line to its end, whatever its command; resolves to the exit code. */
export async function runMain(argv: readonly string[], context: CliContext): Promise<number> {
  if (argv[0] === '__complete') {
    const { complete } = await import('./completion/complete.ts');
    // A broken settings file must not put its error into the person's command line.
    const candidates = await complete(argv.slice(1), context).catch(() => []);
    context.stdout.write(candidates.map((candidate) => `${candidate}\n`).join(''));
    return 0;
  }
  return runCommandLine(argv, context, loadCommand);
}
