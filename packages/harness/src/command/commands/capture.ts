import { Exit } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { CaptureResult } from '../../formats/capture-result.ts';
import { capture } from '../../runs/capture.ts';
import type { EvalContext } from '../eval-context.ts';
import { type EvalKind, runEval } from '../run/run-eval.ts';
import { addEvalFlags, type EvalFlags } from '../run/run-flags.ts';

const CAPTURE: EvalKind<CaptureResult> = {
  name: 'capture',
  attemptsPerCase: 1,
  async *run(options, onAttempt) {
    for await (const result of capture(options)) {
      const { score, timing, failure, errors, graderError } = result;
      // Told when it is written, which is when the next one is asked for.
      yield result;
      onAttempt(result, {
        ...(failure !== undefined && { failure }),
        ...(errors && { errors }),
        ...(graderError !== undefined && { graderError }),
        pass: score?.pass,
        reasoning: score?.reasoning,
        ms: timing.total,
      });
    }
  },
};

/** `parley eval capture`: each case once. */
export function configure(command: Command, context: EvalContext): void {
  addEvalFlags(command)
    .usage('[options] <cases> [-- <agent command>]')
    .description('Put each case to an agent once, and write down all that it says and does.')
    .configureHelp(context.helpWithSharedFlags)
    .addHelpText('after', HELP)
    .action(async (cases: string, words: readonly string[]) => {
      throw new Exit(
        await runEval(CAPTURE, { cases, words, command, flags: command.optsWithGlobals<EvalFlags>() }, context),
      );
    });
}

const HELP = `
--timeout is for each attempt; 300 seconds unless given, and a case may have its
own. What the agent may do is said by the flags for permissions; nobody is
asked, and every decision is in the result.

Examples:
  parley eval capture cases.jsonl -o results.jsonl
  parley eval capture cases.jsonl --agent claude --template ./project -j 4 \\
    --grader grade.py --approve-all -o results.jsonl
  parley eval capture - -- ./my-agent --acp < cases.jsonl

Exit codes:
  0    every attempt came to its end (with --fail-under: enough passed)
  1    one did not, or could not be graded (with --fail-under: too few passed)
  2    the command line, a case, the grader or the output file is wrong
  130  interrupted; what is done is written, and --resume goes on (143: SIGTERM)`;
