/** Longest command line that is looked into; a longer one is put to the person. */
export const MAX_COMMAND_CHARS = 32_768;

/** Why a command line is not even parsed: too long, or made to look like something else. */
export function checkText(text: string): string | undefined {
  if (text.length > MAX_COMMAND_CHARS) return `is longer than ${MAX_COMMAND_CHARS} characters`;
  if (PLAIN.test(text)) return undefined;
  const hidden = HIDDEN.exec(text)?.[0];
  if (hidden === undefined) return undefined;
  return `contains the invisible character ${nameOf(hidden)}`;
}

/** Makes what a person could not see visible: control and format characters become their code. */
export function showText(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(EVERY_HIDDEN, (character) => `<${nameOf(character)}>`);
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

const PLAIN = /^[\t\n\x20-\x7e]*$/;
/**
 * Control characters but tab and newline, line and paragraph separators, blanks that are no blanks to a shell, characters
 * that turn the reading direction, have no width, or are half of a pair.
 */
const HIDDEN =
  /(?!\t|\n| |\ufe0f)(?:\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Zs}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|\u2800)/u;
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gu');
