import type { CommandModule } from '../commands/command.ts';

/** One command below `parley eval`: a line in its help, and a file that is loaded when the command is used. */
export interface EvalCommand {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  load(): Promise<Pick<CommandModule, 'configure'>>;
}

const RUN = 'Run:';

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
];
