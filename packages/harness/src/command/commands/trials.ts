import { Exit, readCount, usageError } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { TrialResult } from '../../formats/trial-result.ts';
import { trials } from '../../runs/trials.ts';
import type { EvalContext } from '../eval-context.ts';
import { type EvalKind, runEval } from '../run/run-eval.ts';
import { addEvalFlags, type EvalFlags } from '../run/run-flags.ts';

const DEFAULT_K = 5;

function trialsKind(flags: EvalFlags): EvalKind<TrialResult> {
  const most = { min: 1, max: Number.MAX_SAFE_INTEGER };
  const wanted = readCount('--trials', flags.trials, most);
  const k = readCount('-k', flags.k, most) ?? Math.min(DEFAULT_K, wanted ?? DEFAULT_K);
  const n = wanted ?? k;
  if (n < k) throw usageError(`--trials ${n} is fewer than -k ${k}; pass@k needs k attempts.`);
  return {
    name: 'trials',
    attemptsPerCase: n,
    run: (options, onAttempt) =>
      trials({
        ...options,
        k,
        n,
        onTrial(task, { failure, errors, graderError, pass, reasoning, duration, trialNum }) {
          onAttempt(
            { id: `${task.id} #${trialNum}` },
            {
              ...(failure !== undefined && { failure }),
              ...(errors && { errors }),
              ...(graderError !== undefined && { graderError }),
              pass,
              reasoning,
              ms: duration,
            },
          );
        },
      }),
  };
}

/** `parley eval trials`: each case several times. */
export function configure(command: Command, context: EvalContext): void {
  addEvalFlags(command)
    .option('-k <k>', 'of how many attempts pass@k and pass^k speak (5)')
    .option('-n, --trials <n>', 'attempts at each case; more than k tell more (k)')
    .usage('[options] <cases> [-- <agent command>]')
    .description('Put each case to an agent several times, to see how often it passes.')
    .configureHelp(context.helpWithSharedFlags)
    .addHelpText('after', HELP)
    .action(async (cases: string, words: readonly string[]) => {
      const flags = command.optsWithGlobals<EvalFlags>();
      throw new Exit(await runEval(trialsKind(flags), { cases, words, command, flags }, context));
    });
}

const HELP = `
A line for each case, when all its attempts are done. With a grader it has
passRate with Wilson's interval, passAtK and passExpK.

Examples:
  parley eval trials cases.jsonl -k 5 --grader grade.py -o trials.jsonl
  parley eval trials cases.jsonl -k 3 -n 20 -j 8 -g grade.js --agent gemini \\
    -o trials.jsonl --fail-under 0.9

Exit codes: as of capture; --fail-under is about all attempts together.`;
