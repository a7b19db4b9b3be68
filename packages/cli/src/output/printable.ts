import { cleanText } from '../terminal/text/clean-text.ts';

/** The text of an agent without what a terminal would obey: it must not move the cursor or hide what it says. */
export function printable(text: string): string {
  return cleanText(text.replaceAll('\r\n', '\n'));
}

/** One line of it, cut to a length. */
export function printableLine(text: string, maxCharacters: number = MAX_LINE_CHARACTERS): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 3)}...` : line;
}

const MAX_LINE_CHARACTERS = 200;
