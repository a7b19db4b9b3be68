import type { Command } from 'commander';
import { talkInChat } from '../chat/talk-in-chat.ts';
import type { CliContext } from '../context.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { readRunSettings } from '../run/settings/run-settings.ts';
import { sharedFlags } from '../run/settings/shared-flags.ts';
import { Exit } from './command.ts';

/** `parley`, or `parley chat`: a conversation in the terminal. */
export function configure(command: Command, context: CliContext): void {
  command
    .usage('[options] [prompt...]')
    .argument('[prompt...]', 'the first thing to say')
    .configureHelp({ showGlobalOptions: true })
    .action(async (words: readonly string[]) => {
      const flags = sharedFlags(command);
      const isTerminal = context.stdin.isTTY === true && context.stdout.isTTY === true;
      if (!isTerminal && !flags.plain) {
        command.parent?.outputHelp({ error: true });
        context.stderr.write('\nparley: the chat needs a terminal; use `parley exec "..."`, or --plain for a pipe.\n');
        throw new Exit(EXIT_CODES.usage.code);
      }
      const settings = await readRunSettings(flags, context);
      throw new Exit(await talkInChat({ settings, words }, context));
    });
}
