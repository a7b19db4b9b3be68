/** Longest command line that is looked into; a longer one is put to the person. */
export const MAX_COMMAND_CHARS = 32_768;

/** Most signs with a meaning to the shell in one stretch without blanks, and most expansions in a whole line. */
const MAX_SIGNS_IN_A_ROW = 96;
const MAX_EXPANSIONS = 96;

/** Why a command line is not even parsed: too long, too intricate, or made to look like something else. */
export function checkText(text: string): string | undefined {
  if (text.length > MAX_COMMAND_CHARS) return `is longer than ${MAX_COMMAND_CHARS} characters`;
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text)) return 'ends in a backslash';
  if (text.includes('$[')) return 'contains "$[", which shells read differently';
  if (text.length > MAX_SIGNS_IN_A_ROW && isIntricate(text)) return 'has too many expansions and quotes in it';
  if (PLAIN.test(text)) return undefined;
  const hidden = HIDDEN.exec(text)?.[0];
  if (hidden === undefined) return undefined;
  return `contains the invisible character ${nameOf(hidden)}`;
}

/** Parsers need much longer for such text than for any that people write. */
function isIntricate(text: string): boolean {
  let signs = 0;
  let expansions = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BLANK || code === NEWLINE) signs = 0;
    else if (SIGNS[code] === 1) signs += 1;
    if (code === DOLLAR || code === BACKQUOTE || (code === LESS && text.charCodeAt(index + 1) === LESS))
      expansions += 1;
    if (signs > MAX_SIGNS_IN_A_ROW || expansions > MAX_EXPANSIONS) return true;
  }
  return false;
}

/** Makes what a person could not see visible: control and format characters become their code. */
export function showText(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(EVERY_HIDDEN, (character) => `<${nameOf(character)}>`);
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

const BLANK = 32;
const NEWLINE = 10;
const DOLLAR = 36;
const LESS = 60;
const BACKQUOTE = 96;
const SIGNS = new Uint8Array(65_536);
for (const sign of '$`{}()[]<>"\'\\*?;&|!#~') SIGNS[sign.charCodeAt(0)] = 1;
const PLAIN = /^[\t\n\x20-\x7e]*$/;
/**
 * Control characters but tab and newline, line and paragraph separators, blanks that are no blanks to a shell, characters
 * that turn the reading direction, have no width, or are half of a pair.
 */
const HIDDEN =
  /(?!\t|\n| |\ufe0f)(?:\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Zs}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|\u2800)/u;
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gu');
