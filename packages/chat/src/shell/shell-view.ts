import { type Line, STYLES, tailOfOutput, withPrefix, wrapOutput } from '@parley/terminal';
import type { ViewOptions } from '../view/view-options.ts';
import type { ShellCommand } from './shell-command.ts';

/** The person's own command is shown nearly whole. */
const MAX_ROWS = 500;

/** A command that has ended: what was run, what came out, how it ended, and who knows of it. */
export function viewShellRun(
  { command, isPrivate }: ShellCommand,
  { output, end }: { readonly output: string; readonly end: string | undefined },
  { width }: ViewOptions,
): Line[] {
  const room = Math.max(1, width - 2);
  const rows =
    output.trim() === '' ? [] : tailOfOutput(output.trimEnd(), MAX_ROWS).flatMap((row) => wrapOutput(row, room));
  const told = isPrivate ? 'not told to the agent' : 'the agent hears of it with your next prompt';
  return [
    ...withPrefix(
      command.split('\n').flatMap((line) => wrapOutput([{ text: line, style: STYLES.bold }], room)),
      [{ text: '! ', style: STYLES.prompt }],
    ),
    ...withPrefix(rows.slice(-MAX_ROWS), [{ text: '  ' }]),
    [{ text: `  ${end === undefined ? '' : `${end} · `}${told}`, style: STYLES.dim }],
  ];
}
