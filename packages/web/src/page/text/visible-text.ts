/**
 * A name, a title or a command with everything in it to be seen: characters that steer, hide or turn the text around are written as
 * what they are, so that `gpj.exe` cannot look like `exe.jpg`.
 */
export function visibleText(text: string): string {
  return UNSEEN.test(text) ? text.replace(UNSEEN_ALL, nameOf) : text;
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, nameOf);
}

/** Control characters but for line breaks and tabs, marks of direction, and what takes no room. */
const UNSEEN = /[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029\u200b\u2060-\u2064\ufeff\u00ad]|[\u{e0000}-\u{e007f}]/u;
const UNSEEN_ALL = new RegExp(UNSEEN.source, 'gu');

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
