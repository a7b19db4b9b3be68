import type { Command } from 'commander';
import type { CliContext } from './context.ts';

export type CommandName =
  | 'chat'
  | 'exec'
  | 'compare'
  | 'agent'
  | 'adapt'
  | 'serve'
  | 'connect'
  | 'prompt'
  | 'sessions'
  | 'status'
  | 'cancel'
  | 'set'
  | 'set-mode'
  | 'check'
  | 'inspect'
  | 'trace'
  | 'eval'
  | 'new'
  | 'doctor'
  | 'login'
  | 'logout'
  | 'models'
  | 'agents'
  | 'permissions'
  | 'config'
  | 'completion';

/** One command of the family: a line in the list, and a file that is loaded when the command is used. */
export interface CommandEntry {
  readonly name: CommandName;
  readonly aliases?: readonly string[];
  /** The line in `parley --help`. */
  readonly summary: string;
  /** Where it stands in `parley --help`. */
  readonly group: string;
  /** What is after its name is handed over as it is, to `runRaw`. */
  readonly readsOwnArguments?: boolean;
}

/** What a command's file exports: its arguments, options, help and action. */
export interface CommandModule {
  configure(command: Command, context: CliContext): void;
  /** For a command that reads its own arguments. */
  runRaw?(args: readonly string[], context: CliContext): Promise<number>;
}

/** How a program gets at the file of a command. */
export type LoadCommand = (name: CommandName) => Promise<CommandModule>;
