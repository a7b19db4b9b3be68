/**
 * Text as it may reach a terminal: line breaks, tabs, plain styles and "rewrite this line" stay; every other control
 * character and every mark that turns the direction of text is spelled out (`\u001b`), so that it is seen and does nothing.
 */
export function safeForTerminal(text: string): string {
  return UNSAFE.test(text) ? text.replace(PIECES, (piece) => (ALLOWED.test(piece) ? piece : spellOut(piece))) : text;
}

const UNSAFE_CLASS = String.raw`[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]`;
const UNSAFE = new RegExp(UNSAFE_CLASS, 'u');
/** Sequences that change nothing but the look of text, the start of a line that is rewritten, and single unsafe characters. */
const PIECES = new RegExp(String.raw`\u001b\[[\d;]*m|\r\u001b\[2K|\r\n|${UNSAFE_CLASS}`, 'gu');
/** Bold, dim, italic, underlined, inverse, their ends, and foreground colours: nothing that hides text. */
const STYLE = '(?:0|1|2|3|4|7|22|23|24|27|39|3[0-7]|9[0-7])?';
const ALLOWED = new RegExp(String.raw`^(?:\u001b\[${STYLE}(?:;${STYLE})*m|\r\u001b\[2K|\r\n)$`, 'u');

function spellOut(piece: string): string {
  return piece.replace(UNSAFE_ALL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const UNSAFE_ALL = new RegExp(UNSAFE_CLASS, 'gu');
