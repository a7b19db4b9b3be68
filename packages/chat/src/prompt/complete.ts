import type { AvailableCommand } from '@parley/protocol';
import { cleanLine } from '@parley/terminal';
import { type Editor, replace } from '@parley/terminal/input';

/** What could stand at the caret. */
export interface Completion {
  readonly items: readonly CompletionItem[];
  /** The part of the text that an item replaces. */
  readonly start: number;
  readonly end: number;
}

export interface CompletionItem {
  readonly label: string;
  readonly description?: string | undefined;
  readonly insert: string;
}

export interface CompletionSources {
  /** The agent's commands, and our own behind them. */
  readonly commands: readonly AvailableCommand[];
  readonly findFiles: (query: string) => readonly string[];
}

/** More commands than that nobody looks through; a further letter finds them. */
const MAX_COMMANDS = 100;

/** Completes a `/command` at the very beginning, and an `@file` anywhere. */
export function complete({ text, caret }: Editor, sources: CompletionSources): Completion | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([^\s/]*)$/.exec(before);
  if (command) return completeCommand(command[1] ?? '', caret, sources.commands);
  // A name with spaces stands in quotes.
  const file = /(?:^|\s)(@(?:"([^"\n]*)|([^\s@"]*)))$/.exec(before);
  if (!file) return undefined;
  const [, written = '', quoted, plain = ''] = file;
  const items = sources.findFiles(quoted ?? plain).map((path) => ({
    label: path,
    // A folder may be gone on with.
    insert: path.endsWith('/') ? mention(path) : `${mention(path)} `,
  }));
  return items.length === 0 ? undefined : { items, start: caret - written.length, end: caret };
}

/** The text with an item in its place. */
export function acceptCompletion(editor: Editor, { start, end }: Completion, item: CompletionItem): Editor {
  return replace(editor, start, end, item.insert);
}

/** How a file is named in a prompt. */
export function mention(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`;
}

function completeCommand(query: string, caret: number, commands: readonly AvailableCommand[]): Completion | undefined {
  const wanted = query.toLowerCase();
  const found = commands.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  // `/mode` in full means that one, though `/model` begins with it too.
  const exact = found.filter(({ name }) => name.toLowerCase() === wanted);
  const items = [...exact, ...found.filter((command) => !exact.includes(command))]
    .slice(0, MAX_COMMANDS)
    .map(({ name, description, input }) => ({
      label: `/${cleanLine(name)}${input?.hint ? ` <${cleanLine(input.hint)}>` : ''}`,
      description,
      insert: `/${cleanLine(name)} `,
    }));
  return items.length === 0 ? undefined : { items, start: 0, end: caret };
}
