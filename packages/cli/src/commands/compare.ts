import { collect, Exit, exitCode, usageError } from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import type { Command } from 'commander';
import { OWN_AGENT } from '../agents/resolve-agent.ts';
import { exitOfRows, printRows } from '../compare/print-rows.ts';
import { runComparison } from '../compare/run-comparison.ts';
import type { CliContext } from '../context.ts';
import { type SharedFlags, sharedFlags } from '../flags/shared-flags.ts';
import { HELP_WITH_SHARED_FLAGS } from '../help.ts';
import { readPrompt } from '../run/read-prompt.ts';
import { readRunSettings } from '../run/settings/run-settings.ts';

interface CompareFlags extends SharedFlags {
  readonly file?: string;
  readonly promptFile?: string;
  readonly attach?: readonly string[];
  readonly json?: boolean;
  readonly worktree?: boolean;
}

/** `parley compare`: one prompt to several agents, one after the other. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('One prompt to several agents, one after the other; then one row for each.')
    .usage("[options] <agents...> '<prompt>'")
    .argument('[agents...]', 'agents by name or command line; last the prompt, unless it comes by -f or after --')
    .option('-f, --file <path>', 'read the prompt from a file, or from stdin with -')
    .option('--prompt-file <path>', 'the same')
    .option('--attach <path>', 'an image or file to go with the prompt (repeat)', collect)
    .option('--worktree', 'give each agent a git worktree of HEAD of its own, and show what it changed')
    .option('--json', 'the same as --format json')
    .configureHelp(HELP_WITH_SHARED_FLAGS)
    .addHelpText(
      'after',
      `
Without --worktree all agents work in the same folder, and each finds what the
one before it has changed. --timeout is for each agent; 300 seconds unless
given. A dead agent, or one that takes too long, is a row.

Examples:
  parley compare gemini claude "what does this project do?"
  parley compare --worktree parley './my-agent --acp' "fix the failing test"
  parley compare gemini claude -f prompt.md --format json | jq '.[].status'

Exit codes:
  0    every row is ok
  1    a row is an error: an agent failed, died, or could not be started
  2    the command line or a settings file is wrong; nothing was run
  3    a row is cancelled: by the agent, or because it took too long
  5    a row is permission_denied
  130  interrupted; the rows so far are printed (143 after SIGTERM)`,
    )
    .action(async (words: readonly string[]) => {
      const flags = sharedFlags(command) as CompareFlags;
      if (flags.agent !== undefined)
        throw usageError(
          'compare takes its agents as words, not with --agent.',
          shellLine`parley compare ${flags.agent} ...`,
        );
      if (flags.file !== undefined && flags.promptFile !== undefined && flags.file !== flags.promptFile)
        throw usageError('--file and --prompt-file name different files; give one of them.');
      const file = flags.file ?? flags.promptFile;
      const split = splitWords(words, { hasFile: file !== undefined, afterDashes: wordsAfterDashes(command) });
      const prompt = await readPrompt({ words: split.prompt, file, attach: flags.attach }, context);
      const shared = flags.json ? { ...flags, format: 'json' } : flags;
      const settings = await readRunSettings({ ...shared, agent: OWN_AGENT }, context);
      const comparison = {
        agents: split.agents,
        prompt,
        flags: shared,
        settings,
        hasWorktrees: flags.worktree === true,
      };
      const { rows, exit } = await runComparison(comparison, context);
      printRows(rows, settings.output.format, context);
      throw new Exit(exitCode(exit ?? exitOfRows(rows), settings.exitCodes));
    });
}

interface Split {
  readonly agents: readonly string[];
  readonly prompt: readonly string[];
}

function splitWords(
  words: readonly string[],
  { hasFile, afterDashes }: { readonly hasFile: boolean; readonly afterDashes: readonly string[] | undefined },
): Split {
  const count = afterDashes ? afterDashes.length : hasFile ? 0 : 1;
  const agents = words.slice(0, words.length - count);
  if (agents.length > 0) return { agents, prompt: words.slice(agents.length) };
  throw usageError(
    hasFile || afterDashes ? 'There is no agent to put the prompt to.' : 'Both agents and a prompt are needed.',
    'parley compare gemini claude "what does this project do?"',
  );
}

/** The parser leaves `--` out; what stood after it is known from the words before they were parsed. */
function wordsAfterDashes(command: Command): readonly string[] | undefined {
  const given = (command.parent as { readonly rawArgs?: readonly string[] } | null)?.rawArgs ?? [];
  const dashes = given.indexOf('--');
  return dashes < 0 ? undefined : given.slice(dashes + 1);
}
