import { readCount, readNumber } from '@parley/host/command-line';
import type { Command } from 'commander';
import { loadGrader } from '../../graders/load-grader.ts';
import { calibrate, formatCalibration } from '../../views/calibrate.ts';
import { type EvalContext, graderOptions } from '../eval-context.ts';
import { openInput } from '../view/results-input.ts';
import { writeText } from '../view/text-output.ts';
import { withExplanation } from '../view/with-explanation.ts';

interface CalibrateFlags {
  readonly sample?: string;
  readonly seed?: string;
  readonly grader?: string;
  readonly graderTimeout?: string;
  readonly jsonl?: boolean;
  readonly output?: string;
}

const ANY_COUNT = { min: 1, max: Number.MAX_SAFE_INTEGER };

/** `parley eval calibrate`: failures for a person to look at. */
export function configure(command: Command, context: EvalContext): void {
  command
    .description('Draw failures for a person to look at: was the grader right?')
    .usage('[options] [results]')
    .argument('[results]', 'what capture or trials wrote; stdin unless given')
    .option('-s, --sample <n>', 'failures to draw (10)')
    .option('--seed <n>', 'draws others; the same seed draws the same (1)')
    .option(
      '-g, --grader <grader>',
      'judges the drawn failures again: a module, any program, or a built-in one: contains:Paris',
    )
    .option('--grader-timeout <seconds>', 'longest time for one judgement (60)')
    .option('--jsonl', 'as JSON lines instead of Markdown')
    .option('-o, --output <file>', 'write there; stdout unless given')
    .addHelpText('after', HELP)
    .action((results: string | undefined, flags: CalibrateFlags) =>
      withExplanation(async () => {
        const { source, options } = openInput(results, 'parley eval calibrate results.jsonl', context);
        const sample = readCount('--sample', flags.sample, ANY_COUNT);
        const seed = readCount('--seed', flags.seed, { ...ANY_COUNT, min: 0 });
        const seconds = readNumber('--grader-timeout', flags.graderTimeout, { least: 0.001, most: 86_400 }) ?? 60;
        await using grader =
          flags.grader === undefined
            ? undefined
            : await loadGrader(flags.grader, { ...graderOptions(context), timeoutMs: seconds * 1000 });
        const found = await calibrate(source, {
          ...options,
          ...(sample !== undefined && { sample }),
          ...(seed !== undefined && { seed }),
          ...(grader && { grader }),
        });
        const text = flags.jsonl
          ? found.samples.map((each) => `${JSON.stringify(each)}\n`)
          : [formatCalibration(found)];
        await writeText(text, { output: flags.output, inputs: [source] }, context);
        const disagreeing = found.samples.filter(({ rescoredResult }) => rescoredResult?.pass).length;
        if (grader) context.stderr.write(`the graders disagree on ${disagreeing} of ${found.samples.length}\n`);
      }),
    );
}

const HELP = `
Draws failures, each as likely as any other, to see whether the grader was
right. Tick a box for each: valid failure, grader bug, or ambiguous.

Examples:
  parley eval calibrate results.jsonl -s 20 -o failures.md
  parley eval calibrate results.jsonl -g stricter.py --jsonl`;
