import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

/** One command of the family: a line in the list, and a file that is loaded when the command is used. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The line in `parley --help`. */
  readonly summary: string;
  /** Where it stands in `parley --help`. */
  readonly group: string;
  readonly load: () => Promise<CommandModule>;
  /** For a command that reads its own arguments, all of them: what is after its name is handed over as it is. */
  readonly runRaw?: (args: readonly string[], context: CliContext) => Promise<number>;
}

/** What a command's file exports: its arguments, options, help and action. */
export interface CommandModule {
  configure(command: Command, context: CliContext): void;
}

/** Ends the run with an exit code that is not an error; thrown by actions. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}
