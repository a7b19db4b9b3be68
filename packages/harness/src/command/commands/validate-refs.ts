import { Exit, exitCode, readNumber } from '@parley/host/command-line';
import { shortLine } from '@parley/terminal';
import type { Command } from 'commander';
import { loadGrader } from '../../graders/load-grader.ts';
import { validateReferences } from '../../views/validate-references.ts';
import { type EvalContext, graderOptions } from '../eval-context.ts';
import { openInput } from '../view/results-input.ts';
import { writeText } from '../view/text-output.ts';
import { withExplanation } from '../view/with-explanation.ts';

interface ValidateFlags {
  readonly grader: string;
  readonly graderTimeout?: string;
  readonly output?: string;
}

/** `parley eval validate-refs`: do the right answers pass? */
export function configure(command: Command, context: EvalContext): void {
  command
    .description("Give the cases' own references to the grader; they must pass.")
    .usage('[options] [cases]')
    .argument('[cases]', 'JSON lines of cases; stdin unless given')
    .requiredOption('-g, --grader <grader>', 'a module, any program, or a built-in one: contains:Paris')
    .option('--grader-timeout <seconds>', 'longest time for one judgement (60)')
    .option('-o, --output <file>', 'write there; stdout unless given')
    .addHelpText('after', HELP)
    .action(async (cases: string | undefined, flags: ValidateFlags) => {
      const failed = await withExplanation(() => validate(cases, flags, context));
      throw new Exit(exitCode(failed ? 'failed' : 'ok'));
    });
}

async function validate(cases: string | undefined, flags: ValidateFlags, context: EvalContext): Promise<boolean> {
  const { source, options } = openInput(cases, 'parley eval validate-refs cases.jsonl -g grade.py', context);
  const seconds = readNumber('--grader-timeout', flags.graderTimeout, { least: 0.001, most: 86_400 }) ?? 60;
  await using grader = await loadGrader(flags.grader, { ...graderOptions(context), timeoutMs: seconds * 1000 });
  let [judged, failed, skipped] = [0, 0, 0];
  const pieces = async function* (): AsyncGenerator<string> {
    for await (const result of validateReferences(source, { ...options, grader, onSkip: () => void skipped++ })) {
      judged++;
      if (!result.passes) {
        failed++;
        const why = result.graderError ?? result.graderResult.reasoning ?? 'no reason given';
        context.stderr.write(`${shortLine(result.id, 60)} does not pass: ${shortLine(why)}\n`);
      }
      yield `${JSON.stringify(result)}\n`;
    }
  };
  await writeText(pieces(), { output: flags.output, inputs: [source] }, context);
  const without = skipped === 0 ? '' : `, ${skipped} cases have none`;
  context.stderr.write(`references: ${judged - failed} of ${judged} pass${without}\n`);
  return failed > 0 || judged === 0;
}

const HELP = `
Each case's own reference is given to the grader as if an agent had answered it,
with no trajectory. A grader that does not let it pass is wrong, or the
reference is.

Examples:
  parley eval validate-refs cases.jsonl --grader grade.py

Exit codes:
  0    every reference passes
  1    one does not, or no case has one
  2    the command line, a case or the grader is wrong`;
