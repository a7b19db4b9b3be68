/** Escape sequences of terminals: whole, or as far as they go. */
const ESCAPES = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?`,
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?`,
    String.raw`\x1b[ -/]*[0-~]?`,
  ].join('|'),
  'gu',
);
/** What could hide or turn what is said: control characters, marks of direction, and characters that nobody sees. */
const UNSEEN = /[^\P{Cc}\s]|[\p{Bidi_Control}\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

const MAX_LINE_CHARACTERS = 200;

/** One line of a text that anybody may have written, with single spaces, cut to a length. */
export function shortLine(text: string, maxCharacters: number = MAX_LINE_CHARACTERS): string {
  // What is far behind the cut is not looked at.
  const near = text.length > maxCharacters * MAX_LOOK ? text.slice(0, maxCharacters * MAX_LOOK) : text;
  const line = near.replace(ESCAPES, '').replace(UNSEEN, '').replace(/\s+/g, ' ').trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 3)}...` : line;
}

const MAX_LOOK = 20;
