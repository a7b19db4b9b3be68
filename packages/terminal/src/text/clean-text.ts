/**
 * Removes everything that could steer a terminal or hide what is said: whole escape sequences, control characters, marks
 * that turn the direction of text, and characters that nobody sees. Line breaks, tabs and what joins emoji stay.
 */
export function cleanText(text: string): string {
  if (!UNSAFE.test(text)) return text;
  let clean = '';
  let position = 0;
  while (position < text.length) {
    const sequence = nextEscape(text, position);
    clean += text.slice(position, sequence.start).replace(UNSAFE_ALL, '');
    position = sequence.end;
  }
  return clean;
}

/**
 * Prints the characters that `cleanText` removes as `[U+001B]`. Use it in questions: a shell runs commands that an escape
 * sequence would hide.
 */
export function visibleText(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text.replaceAll('\r\n', '\n').replace(UNSAFE_ALL, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** The same as `cleanText` for text that must stay on one line: breaks and tabs become spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/[\n\t]+/g, ' ');
}

/** One line of it, with single spaces, cut to a length: for titles, names and whatever is quoted in a sentence of ours. */
export function shortLine(text: string, maxCharacters: number = MAX_LINE_CHARACTERS): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 3)}...` : line;
}

/** The same for an error, cut in its middle: it begins with the command of the agent, and ends with what happened to it. */
export function shortReason(reason: string): string {
  const line = shortLine(reason, Number.POSITIVE_INFINITY);
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  const end = MAX_LINE_CHARACTERS / 2;
  return `${line.slice(0, end - ' ... '.length)} ... ${line.slice(-end)}`;
}

const MAX_LINE_CHARACTERS = 200;

export interface Escape {
  /** Where the sequence begins; the end of the text when there is none. */
  readonly start: number;
  readonly end: number;
  /** Set when it is complete and changes nothing but the look of what follows. */
  readonly sgr?: string;
}

/** Finds the next escape sequence, of whatever kind, finished or not. */
export function nextEscape(text: string, from: number): Escape {
  for (let start = from; start < text.length; start += 1) {
    const code = text.charCodeAt(start);
    if (code === ESC) return readEscape(text, start);
    if (code === C1_CSI) return readCsi(text, start, start + 1);
    if (C1_STRINGS.includes(code)) return { start, end: endOfString(text, start + 1) };
  }
  return { start: text.length, end: text.length };
}

const ESC = 0x1b;
const BEL = 0x07;
const C1_CSI = 0x9b;
const C1_ST = 0x9c;
/** DCS, SOS, OSC, PM and APC as single characters, and as the letters that follow ESC. */
const C1_STRINGS: readonly number[] = [0x90, 0x98, 0x9d, 0x9e, 0x9f];
const STRING_LETTERS = 'PX]^_';

/** Line breaks and tabs are the only control characters that text needs. */
const UNSAFE =
  /[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029\u200b\u2060-\u2064\ufeff]|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0000}-\u{e007f}]/u;
const UNSAFE_ALL = new RegExp(UNSAFE.source, 'gu');

function readEscape(text: string, start: number): Escape {
  const letter = text[start + 1];
  if (letter === undefined) return { start, end: start + 1 };
  if (letter === '[') return readCsi(text, start, start + 2);
  if (STRING_LETTERS.includes(letter)) return { start, end: endOfString(text, start + 2) };
  let end = start + 1;
  while (end < text.length && isBetween(text.charCodeAt(end), 0x20, 0x2f)) end += 1;
  return { start, end: isBetween(text.charCodeAt(end), 0x30, 0x7e) ? end + 1 : end };
}

function readCsi(text: string, start: number, body: number): Escape {
  let end = body;
  while (end < text.length && isBetween(text.charCodeAt(end), 0x20, 0x3f)) end += 1;
  if (!isBetween(text.charCodeAt(end), 0x40, 0x7e)) return { start, end };
  const parameters = text.slice(body, end);
  const isSgr = text[end] === 'm' && /^[\d;:]*$/.test(parameters);
  return isSgr ? { start, end: end + 1, sgr: parameters } : { start, end: end + 1 };
}

/** A string ends with BEL or ST. One that never ends must not swallow what follows its line. */
function endOfString(text: string, body: number): number {
  for (let end = body; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === BEL || code === C1_ST) return end + 1;
    if (code === ESC) return text[end + 1] === '\\' ? end + 2 : end;
    if (code === 0x0a) return end;
  }
  return text.length;
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}
