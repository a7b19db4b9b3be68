import { collect, describeExitCodes, Exit } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { readAssignments } from '../flags/read-assignments.ts';
import { type SharedFlags, sharedFlags } from '../flags/shared-flags.ts';
import { HELP_WITH_SHARED_FLAGS } from '../help.ts';
import { isOffline, OFFLINE, requireUnderstood } from '../run/offline-model.ts';
import { readPrompt } from '../run/read-prompt.ts';
import { readRunSettings } from '../run/settings/run-settings.ts';
import { startRun } from '../run/start-run.ts';

interface ExecFlags extends SharedFlags {
  readonly file?: string;
  readonly json?: boolean;
  readonly attach?: readonly string[];
  readonly configOption?: readonly string[];
}

/** `parley exec`: one prompt in a session that is not kept. */
export function configure(command: Command, context: CliContext): void {
  command
    .usage('[options] [prompt...]')
    .argument('[prompt...]', 'what to say; without it, stdin is read')
    .option('-f, --file <path>', 'read the prompt from a file, or from stdin with -')
    .option('--attach <path>', 'an image or file to go with the prompt (repeat)', collect)
    .option('--json', 'the same as --format json')
    .option('--config-option <id=value>', "one of the agent's options (repeat)", collect)
    .configureHelp(HELP_WITH_SHARED_FLAGS)
    .addHelpText(
      'after',
      `
Examples:
  parley exec "what does this project do?"
  git diff | parley exec -f - "review this change"
  parley exec --approve-all --format json "run the tests" | jq .method

Exit codes:
${describeExitCodes()}`,
    )
    .action(async (words: readonly string[]) => {
      const { json, ...given } = sharedFlags(command) as ExecFlags;
      const flags: ExecFlags = json ? { format: 'json', ...given } : given;
      const options = readAssignments('--config-option', flags.configOption);
      const settings = await readRunSettings(flags, context, { isThrowaway: true, options });
      const prompt = await readPrompt({ words, file: flags.file, attach: flags.attach }, context);
      await using run = await startRun(settings, context);
      try {
        await using connection = await run.connect();
        const session = await run.open(connection);
        const { asked, defaults } = settings.session;
        const chosen = asked?.model ?? defaults?.model ?? context.env.PARLEY_MODEL;
        const isWithoutModel = isOffline(session, settings.agent) && !chosen;
        if (isWithoutModel && !flags.jsonStrict) context.stderr.write(`parley: ${OFFLINE}\n`);
        const { text } = await run.prompt(session, prompt);
        if (isWithoutModel) await requireUnderstood(text);
      } catch (error) {
        run.fail(error);
      }
      throw new Exit(await run.finish());
    });
}
