import { Exit } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { runDoctor } from '../doctor/run-doctor.ts';
import { sharedFlags } from '../flags/shared-flags.ts';

/** `parley doctor`: what is wrong, each with one command that helps. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('What is wrong with this machine, or with an agent. Each failing line has one command that helps.')
    .usage('[options] [agent] | [-- <agent command> [args...]]')
    .argument('[agent...]', 'an agent or its command; default: the default agent')
    .option('--json', 'as JSON')
    .option('--no-agent', 'look at this machine only')
    .action(async (words: readonly string[]) => {
      throw new Exit(await runDoctor(words, sharedFlags(command), context));
    });
}
