import type { AvailableCommand } from '@parley/protocol';
import { cleanLine, clip, type Line, STYLES, textWidth, widthOf } from '@parley/terminal';
import { joinCommands } from '../../commands/own-commands.ts';
import type { ViewOptions } from '../../view/view-options.ts';

/** The keys of the chat, in the order in which one needs them. */
const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['enter', 'send; into the turn, or queue'],
  ['alt+enter, ctrl+j', 'new line'],
  ['esc', 'stop the turn'],
  ['ctrl+c', 'stop, clear; twice leaves'],
  ['ctrl+d', 'leave'],
  ['shift+tab', 'ask, accept edits, plan'],
  ['tab', 'complete; else queue'],
  ['!cmd, !!cmd', 'run here; !! tells nobody'],
  ['up, down', 'earlier prompts, queued ones'],
  ['ctrl+r', 'search earlier prompts'],
  ['ctrl+v', 'paste an image'],
  ['ctrl+o', 'show tool calls whole'],
  ['ctrl+t', 'show thoughts'],
  ['ctrl+g', 'write in $EDITOR'],
  ['alt+p', 'options of the agent'],
  ['ctrl+_', 'undo'],
  ['ctrl+l', 'draw again'],
  ['ctrl+z', 'suspend'],
  ['1-9', 'answer a question'],
  ['ctrl+a e k u w y', 'as in a shell'],
];

/** Keys and commands, the agent's and ours, for whoever asks: in two columns where there is room for them. */
export function viewHelp({ width }: ViewOptions, agentCommands: readonly AvailableCommand[] = []): Line[] {
  const commands = joinCommands(agentCommands).map(
    ({ name, description }): HelpRow => [`/${cleanLine(name)}`, cleanLine(description)],
  );
  return [...viewRows(KEYS, width), ...viewRows(commands, width)];
}

type HelpRow = readonly [keys: string, meaning: string];

function viewRows(rows: readonly HelpRow[], width: number): Line[] {
  const keysWidth = Math.min(MAX_KEYS, Math.max(...rows.map(([keys]) => textWidth(keys))) + 2);
  const isWide = width >= 2 * (keysWidth + MIN_MEANING);
  const columnWidth = isWide ? Math.floor((width - 2) / 2) : width - 2;
  const height = isWide ? Math.ceil(rows.length / 2) : rows.length;
  return Array.from({ length: height }, (_, place): Line => {
    const cells = isWide ? [rows[place], rows[place + height]] : [rows[place]];
    return [{ text: '  ' }, ...cells.flatMap((cell) => (cell ? viewCell(cell, keysWidth, columnWidth) : []))];
  });
}

function viewCell([keys, meaning]: HelpRow, keysWidth: number, width: number): Line {
  const spaces = ' '.repeat(Math.max(1, keysWidth - textWidth(keys)));
  const row = clip([{ text: keys + spaces }, { text: meaning, style: STYLES.dim }], width - 1);
  return [...row, { text: ' '.repeat(Math.max(0, width - widthOf(row))) }];
}

/** Less than that says nothing. */
const MIN_MEANING = 22;
const MAX_KEYS = 18;
