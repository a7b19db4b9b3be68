import { eastAsianWidth } from 'get-east-asian-width';

/**
 * How many columns text takes. Terminals disagree about joined emoji; we add up their parts, which is the most that any
 * of them uses. A line that is thought too wide is only broken early, while one that is too wide in truth spoils the screen.
 */
export function textWidth(text: string): number {
  if (isPrintableAscii(text)) return text.length;
  let width = 0;
  for (const character of text) width += codePointWidth(character.codePointAt(0) ?? 0);
  return text.includes(EMOJI_STYLE) ? width + countEmojiStyle(text) : width;
}

/** The characters of a text as people count them: an accent belongs to its letter. */
export function splitGraphemes(text: string): string[] {
  if (isPrintableAscii(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const graphemes: string[] = [];
  let window = SEGMENT_WINDOW;
  for (let start = 0; start < text.length; ) {
    const part = text.slice(start, start + window);
    const found = Array.from(segmenter.segment(part), ({ segment }) => segment);
    // The last one may go on behind the window.
    if (start + window < text.length) found.pop();
    if (found.length === 0) {
      window *= 2;
      continue;
    }
    for (const grapheme of found) {
      graphemes.push(grapheme);
      start += grapheme.length;
    }
    window = SEGMENT_WINDOW;
  }
  return graphemes;
}

/** The segmenter takes the square of the length; short parts keep that small. */
const SEGMENT_WINDOW = 128;

export function isPrintableAscii(text: string): boolean {
  return PRINTABLE_ASCII.test(text);
}

const PRINTABLE_ASCII = /^[ -~]*$/;
const EMOJI_STYLE = '\ufe0f';

/** Made when it is needed first: that takes several milliseconds, and most of what a run writes is ASCII. */
let segmenter: Intl.Segmenter | undefined;

/** The selector makes a narrow character an emoji, and most terminals then draw it in two columns. */
function countEmojiStyle(text: string): number {
  return text.split(EMOJI_STYLE).length - 1;
}

function codePointWidth(codePoint: number): number {
  if (codePoint < FIRST_UNUSUAL) return 1;
  const known = widths.get(codePoint);
  if (known !== undefined) return known;
  const width = measure(codePoint);
  if (widths.size < MAX_CACHED_WIDTHS) widths.set(codePoint, width);
  return width;
}

const FIRST_UNUSUAL = 0x300;
const MAX_CACHED_WIDTHS = 8192;
const widths = new Map<number, number>();

function measure(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff) return 1; // Half a flag.
  if (codePoint >= 0x1160 && codePoint <= 0x11ff) return 0; // Vowels and finals that join a Korean syllable.
  if (ZERO_WIDTH.test(character)) return 0;
  return EMOJI.test(character) || isWideSomewhere(codePoint) ? 2 : eastAsianWidth(codePoint);
}

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;

/** Numbers in squares, and pictures that the standard calls narrow: some terminals draw them in two columns. */
function isWideSomewhere(codePoint: number): boolean {
  return (codePoint >= 0x3248 && codePoint <= 0x324f) || (codePoint >= 0x1f000 && codePoint <= 0x1faff);
}
