import type { CommandModule } from '../commands/command.ts';

/** One command below `parley eval`: a line in its help, and a file that is loaded when the command is used. */
export interface EvalCommand {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  load(): Promise<Pick<CommandModule, 'configure'>>;
}

/** Every command below `parley eval`, in the order of its help. */
export const EVAL_COMMANDS: readonly EvalCommand[] = [];
