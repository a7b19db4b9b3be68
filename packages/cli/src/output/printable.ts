// Text of an agent must not move the cursor, change the title, answer for the person or hide what it says.
const SEQUENCE = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]', // CSI
    '(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?', // OSC, DCS, SOS, PM, APC
    '\\u001b[ -/]*[0-~]', // other escapes
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]', // C0 (but tab and newline), DEL, C1
    '[\\u202a-\\u202e\\u2066-\\u2069]', // direction overrides, which show one thing and say another
  ].join('|'),
  'g',
);

/** The text without what a terminal would obey. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(SEQUENCE, '');
}

/** One line of it, cut to a length. */
export function printableLine(text: string, maxCharacters: number = MAX_LINE_CHARACTERS): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 3)}...` : line;
}

const MAX_LINE_CHARACTERS = 200;
