import { collect, describeExitCodes, Exit, usageError } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { readAssignments } from '../flags/read-assignments.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { HELP_WITH_SHARED_FLAGS } from '../help.ts';
import { readPrompt } from '../run/read-prompt.ts';
import type { SessionFlags } from '../sessions/choice/choose-session.ts';
import { chooseSession } from '../sessions/choice/choose-session.ts';
import { addStoreFlags } from '../sessions/records/server-store.ts';
import { promptInSession } from '../sessions/turn/prompt-in-session.ts';
import { queuePrompt } from '../sessions/turn/queue-prompt.ts';
import { requireStorePlace } from '../stores/store-place.ts';

interface PromptFlags extends SessionFlags {
  readonly new?: boolean;
  readonly name?: string;
  /** False with `--no-wait`. */
  readonly wait?: boolean;
  readonly steer?: boolean;
  readonly file?: string;
  readonly attach?: readonly string[];
  readonly configOption?: readonly string[];
}

/** `parley prompt`: one prompt in a session that is kept. */
export function configure(command: Command, context: CliContext): void {
  addStoreFlags(command, 'prompt in a session of --agent in the file or database of `parley serve`')
    .description('One prompt in a saved session: the one of -s, else the last one in this folder, else a new one.')
    .usage('[options] [prompt...]')
    .argument('[prompt...]', 'what to say; without it, stdin is read')
    .option('-s, --session <name>', 'the session, by name or id')
    .option('--new', 'begin a new session')
    .option('--name <name>', 'a name for the new session')
    .option('--no-wait', 'leave the prompt to a process of its own and return at once')
    .option(
      '--steer',
      'send into the turn that runs, where the agent can; else it waits, and without a turn it begins one',
    )
    .option('-f, --file <path>', 'read the prompt from a file, or from stdin with -')
    .option('--attach <path>', 'an image or file to go with the prompt (repeat)', collect)
    .option('--config-option <id=value>', "one of the agent's options (repeat)", collect)
    .configureHelp(HELP_WITH_SHARED_FLAGS)
    .addHelpText(
      'after',
      `
Examples:
  parley prompt "find the flaky test"
  parley prompt "now fix it"
  parley prompt --no-wait -s nightly "update the dependencies"
  parley sessions watch nightly
  parley prompt --steer -s nightly "leave the lock file alone"

Exit codes:
${describeExitCodes()}`,
    )
    .action(async (words: readonly string[]) => {
      const flags = sharedFlags(command) as PromptFlags;
      if (flags.new && flags.session !== undefined)
        throw usageError('--new and -s contradict each other; name a new session with --name.');
      const isNew = flags.new === true || flags.name !== undefined;
      if (flags.steer && isNew)
        throw usageError('--steer is for a session in which a turn runs; leave out --new and --name.');
      const prompt = await readPrompt({ words, file: flags.file, attach: flags.attach }, context);
      const options = readAssignments('--config-option', flags.configOption);
      await using found = await chooseSession(flags, context, { mayBegin: true });
      const chosen = isNew ? { ...found, session: undefined, flags } : found;
      if (flags.store !== undefined && flags.wait !== false) {
        if (flags.name !== undefined)
          throw usageError(
            'Sessions in the store of a server have no names; leave out --name, and give the id with -s.',
          );
        const { promptInStore } = await import('../sessions/turn/prompt-in-store.ts');
        const place = requireStorePlace(flags.store, context.cwd);
        throw new Exit(await promptInStore({ chosen, prompt, options, steers: flags.steer }, place, context));
      }
      if (flags.wait === false) {
        const { name, configOption: configOptions, steer: steers } = flags;
        return await queuePrompt({ chosen, prompt, name, configOptions, steers }, context);
      }
      throw new Exit(
        await promptInSession({ chosen, prompt, options, name: flags.name, steers: flags.steer }, context),
      );
    });
}
