import type { AvailableCommand } from '@parley/protocol';
import { cleanLine } from '../../terminal/text/clean-text.ts';
import { type Line, STYLES } from '../../terminal/text/styled-text.ts';
import { withPrefix, wrapWords } from '../../terminal/text/wrap.ts';
import type { ViewOptions } from '../../view/view-options.ts';
import { joinCommands } from '../prompt/own-commands.ts';

/** The keys of the chat, in the order in which one needs them. */
const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['enter', 'send; while the agent works, queue'],
  ['alt+enter, ctrl+j, \\ enter', 'new line'],
  ['esc', 'stop the turn; what was queued comes back'],
  ['ctrl+c', 'stop, clear; twice leaves'],
  ['ctrl+d', 'leave, when nothing is written'],
  ['shift+tab', 'next mode'],
  ['alt+p', 'options of the agent'],
  ['tab', 'complete /commands and @files'],
  ['up, down, ctrl+p, ctrl+n', 'earlier and later prompts; up takes a queued one back'],
  ['ctrl+r', 'search earlier prompts'],
  ['ctrl+o', 'show tool calls whole'],
  ['ctrl+t', 'show thoughts'],
  ['ctrl+g', 'write in $EDITOR'],
  ['ctrl+a e b f k u w y, alt+b f d', 'as in a shell'],
  ['ctrl+_', 'undo'],
  ['ctrl+l', 'draw again'],
  ['ctrl+z', 'suspend'],
  ['1-9', 'answer a question'],
];

const COLUMN = 34;

/** Keys and commands, the agent's and ours, for whoever asks. */
export function viewHelp({ width }: ViewOptions, agentCommands: readonly AvailableCommand[] = []): Line[] {
  const commands = joinCommands(agentCommands).map(
    ({ name, description }) => [`/${cleanLine(name)}`, cleanLine(description)] as const,
  );
  return [...KEYS, ...commands].flatMap(([keys, meaning]) => {
    if (width < COLUMN + 20) {
      return withPrefix(wrapWords([{ text: `${keys}: ${meaning}` }], Math.max(1, width - 2)), [{ text: '  ' }]);
    }
    const rows = wrapWords([{ text: meaning, style: STYLES.dim }], width - COLUMN - 2);
    return withPrefix(rows, [{ text: `  ${keys.padEnd(COLUMN)}` }]);
  });
}
