import { type AvailableCommand, type ContentBlock, textOfContent } from '@parley/protocol';
import type { InvokedCommand } from '../contract/turn.ts';

const MAX_TITLE_CHARACTERS = 80;

/** The slash command at the very start of a prompt: `/review the last commit`. */
export function readCommand(
  content: readonly ContentBlock[],
  commands: readonly AvailableCommand[],
): InvokedCommand | undefined {
  const match = /^\s*\/(\S+)(?:\s+([\s\S]*))?$/.exec(textOfContent(content));
  const name = match?.[1];
  if (name === undefined || !commands.some((command) => command.name === name)) return undefined;
  return { name, input: match?.[2]?.trim() ?? '' };
}

/** A name for a session whose agent gives it none: how its first prompt begins. */
export function titleOf(content: readonly ContentBlock[]): string | undefined {
  const line = textOfContent(content).trim().split('\n', 1)[0]?.trim();
  if (!line) return undefined;
  // Counted in whole characters: half of a pair could not be stored.
  const characters = [...line.slice(0, 2 * MAX_TITLE_CHARACTERS + 2)];
  if (characters.length <= MAX_TITLE_CHARACTERS) return line;
  return `${characters
    .slice(0, MAX_TITLE_CHARACTERS - 1)
    .join('')
    .trimEnd()}…`;
}
