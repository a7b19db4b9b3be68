import { Exit } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { inspectAgent } from '../inspect/inspect-agent.ts';

/** `parley inspect`: a tap between a real client and a real agent. */
export function configure(command: Command, context: CliContext): void {
  command
    .description(
      'Stand between a client and an agent: every byte passes unchanged, every message is recorded and shown.',
    )
    .usage('[options] -- <agent command> [args...]')
    .argument('[command...]', 'the agent: a command, or a name')
    .option('--no-live', 'show nothing on stderr, only write the trace')
    .option('--full', 'show whole messages')
    .option('--no-redact', 'leave secrets in')
    .addHelpText(
      'after',
      `
Put it before the agent's command in your editor's settings:
  "command": "parley", "args": ["inspect", "--", "my-agent", "--acp"]

The trace goes to --trace <file>, by default to $XDG_STATE_HOME/parley/traces/.
Read it with: parley trace show <file>`,
    )
    .action(async (words: readonly string[]) => {
      throw new Exit(await inspectAgent(words, sharedFlags(command), context));
    });
}
