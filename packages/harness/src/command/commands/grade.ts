import { Exit } from '@parley/host/command-line';
import type { Command } from 'commander';
import { extractedResult } from '../../formats/pipeline.ts';
import { loadGrader } from '../../graders/load-grader.ts';
import { gradeResult } from '../../pipeline/grade-results.ts';
import { type EvalContext, graderOptions } from '../eval-context.ts';
import { addStageFlags, explainHarness, readInput, runStage, type StageFlags } from '../pipeline/stage.ts';

interface GradeFlags extends StageFlags {
  readonly grader: string;
}

/** `parley eval grade`: judges what extract gave. */
export function configure(command: Command, context: EvalContext): void {
  addStageFlags(command)
    .usage('[options] [extracted]')
    .argument('[extracted]', 'what extract wrote; stdin unless given')
    .requiredOption('-g, --grader <grader>', 'a module, any program, or a built-in one: contains:Paris')
    .addHelpText('after', '\nExample:\n  parley eval grade extracted.jsonl -g grade.py -o graded.jsonl')
    .action(async (file: string | undefined, flags: GradeFlags) => {
      await using grader = await loadGrader(flags.grader, { ...graderOptions(context) }).catch((error: unknown) => {
        throw explainHarness(error);
      });
      let broken = 0;
      const work = async function* (signal: AbortSignal) {
        for await (const { value } of readInput(file, extractedResult, context)) {
          const graded = await gradeResult(value, grader, signal);
          if (graded.graderError !== undefined) {
            broken += 1;
            context.stderr.write(`${value.id}: ${graded.graderError}\n`);
          }
          yield {
            name: `${value.id}: ${graded.score ? (graded.score.pass ? 'pass' : 'fail') : 'not graded'}`,
            value: graded,
          };
        }
      };
      const code = await runStage({ flags, work }, context);
      throw new Exit(code === 0 && broken > 0 ? 1 : code);
    });
}
