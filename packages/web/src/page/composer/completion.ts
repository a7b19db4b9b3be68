import type { AvailableCommand } from '@parley/protocol';

/** What is being written at the caret, where something can be offered for it. */
export interface Completing {
  readonly kind: 'command' | 'file';
  /** What was written of it so far. */
  readonly query: string;
  /** The part of the text that a choice replaces. */
  readonly start: number;
  readonly end: number;
}

/** A command stands at the beginning of the prompt; a file is named with `@` wherever a word begins. */
export function findCompleting(text: string, caret: number): Completing | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { kind: 'command', query: command[1] ?? '', start: 0, end: caret };
  const file = /(?:^|\s)@("[^"\n]*|[^\s"]*)$/.exec(before);
  if (!file) return undefined;
  const written = file[1] ?? '';
  return { kind: 'file', query: written.replace(/^"/, ''), start: caret - written.length - 1, end: caret };
}

/** The commands whose name begins with the query, then those that have it elsewhere. */
export function matchCommands(commands: readonly AvailableCommand[], query: string): AvailableCommand[] {
  const wanted = query.toLowerCase();
  const rank = ({ name }: AvailableCommand): number => {
    const place = name.toLowerCase().indexOf(wanted);
    return place < 0 ? -1 : Math.min(place, 1);
  };
  return commands.filter((command) => rank(command) >= 0).sort((a, b) => rank(a) - rank(b));
}

/** The text with a choice in the place of what was being written, and where the caret stands then. */
export function complete(
  text: string,
  { kind, start, end }: Completing,
  choice: string,
): { readonly text: string; readonly caret: number } {
  const written = kind === 'command' ? `/${choice}` : /\s/.test(choice) ? `@"${choice}"` : `@${choice}`;
  const rest = text.slice(end);
  const gap = /^\s/.test(rest) ? '' : ' ';
  const head = `${text.slice(0, start)}${written}${gap}`;
  return { text: head + rest, caret: head.length };
}

/** The hint of the command that a text begins with, while nothing follows it. */
export function hintOf(text: string, commands: readonly AvailableCommand[]): string | undefined {
  const name = /^\/(\S+) ?$/.exec(text)?.[1];
  return commands.find((command) => command.name === name)?.input?.hint;
}

/** The paths that a text names with `@`, each one once. */
export function findMentions(text: string): string[] {
  const found = text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g);
  return [...new Set([...found].map(([, quoted, plain]) => quoted ?? plain ?? ''))];
}
