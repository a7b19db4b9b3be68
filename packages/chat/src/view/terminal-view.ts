import type { TerminalRecord, Transcript } from '@parley/client';
import { cleanLine, type Line, restyle, STYLES, tailOfOutput, withPrefix, wrapOutput } from '@parley/terminal';
import type { ViewOptions } from './view-options.ts';

const MAX_ROWS = 5;
const MAX_DETAILED_ROWS = 2000;

/** A terminal of the agent by itself: its command, how that ended, and the last of what it wrote. */
export function viewTerminal({ terminalId, command, exit, output }: TerminalRecord, options: ViewOptions): Line[] {
  const end = exit?.signal ? `ended by ${exit.signal}` : `exit ${exit?.exitCode ?? 'unknown'}`;
  const room = Math.max(1, options.width - 4);
  const rows = tailOfOutput(output.trimEnd(), options.isDetailed ? MAX_DETAILED_ROWS : MAX_ROWS);
  return [
    [
      { text: '[terminal] ', style: STYLES.active },
      { text: cleanLine(command ?? terminalId) },
      { text: ` (${end})`, style: STYLES.dim },
    ],
    ...withPrefix(
      rows.flatMap((row) => wrapOutput(row, room)).map((row) => restyle(row, STYLES.dim)),
      [{ text: '    ' }],
    ),
  ];
}

/** Whether a tool call shows the terminal; then it need not be shown by itself. */
export function isShownByCall(terminalId: string, { entries }: Transcript): boolean {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries.at(index);
    if (entry?.type !== 'tool_call') continue;
    if (entry.content.some((item) => item.type === 'terminal' && item.terminalId === terminalId)) return true;
  }
  return false;
}
