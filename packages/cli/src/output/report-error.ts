import { EXIT_CODES } from '@parley/host/command-line';
import { cleanText, createStyles, hasColor } from '@parley/terminal';
import type { CliContext } from '../context.ts';
import { type ErrorSetting, explainError } from './explain-error.ts';

/** Prints an error that ended the command; returns the exit code. */
export function reportError(error: unknown, context: CliContext, setting: ErrorSetting = {}): number {
  const { message, next, exit, code } = explainError(error, setting);
  const { bad, dim } = createStyles(hasColor(context, context.stderr));
  context.stderr.write(`${bad('parley:')} ${cleanText(message)}\n`);
  for (const each of next) context.stderr.write(`${dim('try:')} ${each}\n`);
  if (code === 'unexpected' && error instanceof Error && context.env.PARLEY_DEBUG) {
    context.stderr.write(`${error.stack}\n`);
  }
  return EXIT_CODES[exit].code;
}
