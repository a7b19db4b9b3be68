import type { Finding } from '@parley/host/command-line';
import { cleanText, createStyles, hasColor } from '@parley/terminal';
import type { CliContext } from '../context.ts';

/** Prints findings as they come: a mark, what was looked at, what was found, and what helps. */
export function createPrinter(flags: { readonly color?: boolean }, context: CliContext): (finding: Finding) => void {
  const { good, bad, warning, dim, bold } = createStyles(hasColor(context, context.stdout, flags));
  const marks = { ok: good('ok  '), note: dim('note'), warn: warning('warn'), fail: bad('FAIL') };
  return ({ name, verdict, says, fix }) => {
    context.stdout.write(`${marks[verdict]}  ${bold(name)}: ${cleanText(says)}\n`);
    if (fix !== undefined) context.stdout.write(`      fix: ${fix}\n`);
  };
}
