/** A long paste. In the text it is one character, its mark, and on the screen `[pasted 312 lines]`. */
export interface Paste {
  readonly mark: string;
  readonly text: string;
}

/** Shorter pastes go into the text as they are. */
const MAX_PLAIN_LINES = 5;
const MAX_PLAIN_CHARACTERS = 1000;
const MAX_PASTES = 100;

/** Marks are characters of a private plane that no keyboard types. */
const FIRST_MARK = 0xf0000;
const MARK = /[\u{f0000}-\u{f0fff}]/u;
const MARKS = new RegExp(MARK.source, 'gu');

/** Keeps a paste apart when it is long; undefined when it may go into the text. */
export function keepPaste(pastes: readonly Paste[], text: string): { mark: string; pastes: Paste[] } | undefined {
  const isShort =
    text.length <= MAX_PLAIN_CHARACTERS && text.split('\n', MAX_PLAIN_LINES + 1).length <= MAX_PLAIN_LINES;
  if (isShort || pastes.length >= MAX_PASTES) return undefined;
  const mark = String.fromCodePoint(FIRST_MARK + pastes.length);
  return { mark, pastes: [...pastes, { mark, text }] };
}

export function isMark(character: string): boolean {
  return MARK.test(character);
}

/** What the screen shows for a mark. */
export function labelOfMark(pastes: readonly Paste[], mark: string): string {
  const text = pastes.find((paste) => paste.mark === mark)?.text ?? '';
  // The last line of a file ends too; nothing comes behind it.
  const lines = text.replace(/\n$/, '').split('\n').length;
  return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${text.length} characters]`;
}

/** Text from elsewhere must not hold marks of its own. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '');
}
