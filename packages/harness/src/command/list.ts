import type { Command } from 'commander';
import type { EvalContext } from './eval-context.ts';

/** One command below `parley eval`: a line in its help, and a file that is loaded when the command is used. */
export interface EvalCommand {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  load(): Promise<{ configure(command: Command, context: EvalContext): void }>;
}

const RUN = 'Run:';
const LOOK = 'Look at results:';
const CASES = 'Cases and graders:';
const STAGES = 'Command lines without ACP, stage by stage:';

/** Every command below `parley eval`, in the order of its help. */
export const EVAL_COMMANDS: readonly EvalCommand[] = [
  {
    name: 'capture',
    summary: 'put each case to an agent, and write down all that it says and does',
    group: RUN,
    load: () => import('./commands/capture.ts'),
  },
  {
    name: 'trials',
    summary: 'put each case to an agent several times, to see how often it passes',
    group: RUN,
    load: () => import('./commands/trials.ts'),
  },
  {
    name: 'run',
    summary: 'run a command for each case, and keep every line that it writes',
    group: STAGES,
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'extract',
    summary: 'read what those lines say',
    group: STAGES,
    load: () => import('./commands/extract.ts'),
  },
  {
    name: 'grade',
    summary: 'judge what was read',
    group: STAGES,
    load: () => import('./commands/grade.ts'),
  },
  {
    name: 'compare',
    summary: 'compare runs: which is better, and is it luck?',
    group: LOOK,
    load: () => import('./commands/compare.ts'),
  },
  {
    name: 'report',
    summary: 'results as a page: plots, failures, and every attempt',
    group: LOOK,
    load: () => import('./commands/report.ts'),
  },
  {
    name: 'summarize',
    summary: 'results in few words, as JSON lines or Markdown',
    group: LOOK,
    load: () => import('./commands/summarize.ts'),
  },
  {
    name: 'format',
    summary: 'results as JSON lines, Markdown or CSV',
    group: LOOK,
    load: () => import('./commands/format.ts'),
  },
  {
    name: 'calibrate',
    summary: 'draw failures, to see whether the grader was right',
    group: CASES,
    load: () => import('./commands/calibrate.ts'),
  },
  {
    name: 'validate-refs',
    summary: 'do the references of the cases pass the grader?',
    group: CASES,
    load: () => import('./commands/validate-refs.ts'),
  },
  {
    name: 'balance',
    summary: 'how the cases are spread over categories',
    group: CASES,
    load: () => import('./commands/balance.ts'),
  },
  {
    name: 'schemas',
    summary: 'the formats of all files, as JSON schemas',
    group: CASES,
    load: () => import('./commands/schemas.ts'),
  },
];
