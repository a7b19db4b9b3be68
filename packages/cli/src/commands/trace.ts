import { Exit } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { replayTrace } from '../trace/replay-trace.ts';
import { showTrace } from '../trace/show-trace.ts';

/** `parley trace`: reads what `inspect` and `--trace` have recorded. */
export function configure(command: Command, context: CliContext): void {
  command.description('Read and replay what `parley inspect` and `--trace` have recorded.');
  const show = command
    .command('show')
    .description('every message in a line')
    .argument('<file>')
    .option('--method <method>', 'only messages of this method, or of methods that begin with it')
    .option('--full', 'whole messages')
    .option('--json', 'as JSON lines')
    .addHelpText(
      'after',
      '\nWith a timeline and filters: parley serve, then drop the file on\nthe inspector of the page.',
    )
    .action(async (file: string) => {
      await showTrace(file, sharedFlags(show), context);
    });
  const replay = command
    .command('replay')
    .description('play one side of a trace against the real other side, and stop where it goes another way')
    .usage('[options] <file> [-- <agent command>]')
    .argument('<file>')
    .argument('[command...]', 'with --as client: the agent to play against')
    .requiredOption('--as <role>', 'agent: answer a client on stdin and stdout; client: drive an agent')
    .option('--exact', 'compare whole messages, not only what kind they are')
    .option('--step-timeout <seconds>', 'longest wait for the next message (30)')
    .action(async (file: string, words: readonly string[]) => {
      throw new Exit(await replayTrace({ file, words, flags: sharedFlags(replay) }, context));
    });
}
