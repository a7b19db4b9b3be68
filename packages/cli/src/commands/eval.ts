import { EVAL_COMMANDS } from '@parley/harness/command';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { evalContext } from '../eval/eval-context.ts';

/** `parley eval`: cases in, trajectories out. Each of its commands is loaded when it is used. */
export function configure(command: Command, context: CliContext): void {
  command.description('Put cases to an agent, grade what it does, and compare runs.').addHelpText(
    'after',
    `
Examples:
  parley eval capture cases.jsonl -o results.jsonl -- gemini --acp
  parley eval trials cases.jsonl -k 5 -g grade.py -o trials.jsonl --agent claude

docs/evaluation.md tells more.`,
  );
  for (const { name, summary, group } of EVAL_COMMANDS) {
    command.command(name).summary(summary).description(summary).helpGroup(group);
  }
  command.hook('preSubcommand', async (_command, chosen) => {
    const entry = EVAL_COMMANDS.find(({ name }) => name === chosen.name());
    if (entry) (await entry.load()).configure(chosen, evalContext(context));
  });
}
