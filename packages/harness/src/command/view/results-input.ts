import { resolve } from 'node:path';
import { type CommandContext, usageError } from '@parley/host/command-line';
import type { ReadLinesOptions } from '../../formats/read-lines.ts';

/** Where a command reads: a file, or stdin. */
export interface Input {
  /** `-` for stdin. */
  readonly source: string;
  readonly options: ReadLinesOptions;
}

/** What was named on the command line, or stdin when something is piped into it. */
export function openInput(word: string | undefined, usage: string, context: CommandContext): Input {
  if (word === undefined && context.stdin.isTTY === true) {
    throw usageError('Which file? Nothing is piped in either.', usage);
  }
  const name = word ?? '-';
  const source = name === '-' ? '-' : resolve(context.cwd, name);
  return { source, options: { stdin: context.stdin, name: name === '-' ? 'stdin' : name } };
}
