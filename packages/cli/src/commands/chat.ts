import { EXIT_CODES, Exit, usageError } from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import type { Command } from 'commander';
import { talkInChat } from '../chat/talk-in-chat.ts';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { HELP_WITH_SHARED_FLAGS } from '../help.ts';
import { readRunSettings } from '../run/settings/run-settings.ts';

/** `parley`, or `parley chat`: a conversation in the terminal. */
export function configure(command: Command, context: CliContext): void {
  command
    .usage('[options] [prompt...]')
    .argument('[prompt...]', 'the first thing to say')
    .option('-c, --continue', 'go on with the last session in this folder')
    .option('-r, --resume [session]', 'go on with this session; without it, choose one')
    .configureHelp(HELP_WITH_SHARED_FLAGS)
    .action(async (words: readonly string[]) => {
      const flags = sharedFlags(command);
      const { continue: isContinued, resume } = command.opts<{ continue?: boolean; resume?: string | true }>();
      if (isContinued || resume !== undefined) {
        const { resumeSession } = await import('../chat/resume-session.ts');
        const session = typeof resume === 'string' ? { session: resume } : {};
        throw new Exit(await resumeSession({ ...flags, ...session, mayPick: resume === true, words }, context));
      }
      const isTerminal = context.stdin.isTTY === true && context.stdout.isTTY === true;
      if (!isTerminal && !flags.plain) {
        if (words.length > 0) {
          throw usageError('The chat needs a terminal.', shellLine`parley exec ${words.join(' ')}`, 'or --plain');
        }
        command.parent?.outputHelp({ error: true });
        context.stderr.write('\nparley: the chat needs a terminal; use `parley exec "..."`, or --plain for a pipe.\n');
        throw new Exit(EXIT_CODES.usage.code);
      }
      const settings = await readRunSettings(flags, context);
      throw new Exit(await talkInChat({ settings, flags, words }, context));
    });
}
