import type { Editor } from '../editor.ts';

/** Where a motion leads, and how an operator takes what lies between. */
export interface Motion {
  readonly to: number;
  /** `inclusive` takes the character at the end too, `lines` whole lines. */
  readonly kind: 'exclusive' | 'inclusive' | 'lines';
}

type Move = (text: string, caret: number) => number;

/** The place after a motion, done so often; undefined when the key is none. */
export function moveBy(
  key: string,
  { text, caret }: Pick<Editor, 'text' | 'caret'>,
  count: number,
): Motion | undefined {
  const motion = MOTIONS[key];
  if (!motion) return undefined;
  let to = caret;
  for (let times = 0; times < count; times += 1) to = motion.move(text, to);
  return { to, kind: motion.kind };
}

export function startOfLine(text: string, caret: number): number {
  return caret === 0 ? 0 : text.lastIndexOf('\n', caret - 1) + 1;
}

export function endOfLine(text: string, caret: number): number {
  const end = text.indexOf('\n', caret);
  return end < 0 ? text.length : end;
}

/** The first character of the line that is no blank. */
export function startOfWords(text: string, caret: number): number {
  const start = startOfLine(text, caret);
  return start + (/^[ \t]*/.exec(text.slice(start, endOfLine(text, start)))?.[0].length ?? 0);
}

const MOTIONS: Readonly<Record<string, { readonly move: Move; readonly kind: Motion['kind'] }>> = {
  h: { move: (text, caret) => Math.max(startOfLine(text, caret), caret - sizeBefore(text, caret)), kind: 'exclusive' },
  l: { move: (text, caret) => Math.min(endOfLine(text, caret), caret + sizeAt(text, caret)), kind: 'exclusive' },
  j: { move: (text, caret) => byLine(text, caret, 1), kind: 'lines' },
  k: { move: (text, caret) => byLine(text, caret, -1), kind: 'lines' },
  w: { move: nextWord, kind: 'exclusive' },
  b: { move: wordBefore, kind: 'exclusive' },
  e: { move: endOfWord, kind: 'inclusive' },
  '0': { move: startOfLine, kind: 'exclusive' },
  '^': { move: startOfWords, kind: 'exclusive' },
  $: { move: (text, caret) => endOfLine(text, caret), kind: 'exclusive' },
  G: { move: (text) => startOfLine(text, text.length), kind: 'lines' },
};

/** Pairs of surrogates are one character; the screen places the caret by whole graphemes. */
function sizeAt(text: string, caret: number): number {
  return (text.codePointAt(caret) ?? 0) > 0xffff ? 2 : 1;
}

function sizeBefore(text: string, caret: number): number {
  const code = text.charCodeAt(caret - 1);
  return code >= 0xdc00 && code <= 0xdfff ? 2 : 1;
}

function byLine(text: string, caret: number, direction: -1 | 1): number {
  const start = startOfLine(text, caret);
  const other = direction < 0 ? start - 1 : endOfLine(text, caret) + 1;
  if (other < 0 || other > text.length) return caret;
  const otherStart = startOfLine(text, other);
  return Math.min(otherStart + (caret - start), endOfLine(text, otherStart));
}

/** Letters and digits make words, and so do signs; blanks make none. */
function classOf(character: string | undefined): 'word' | 'sign' | 'blank' {
  if (character === undefined || /\s/.test(character)) return 'blank';
  return /[\p{L}\p{N}_]/u.test(character) || character.charCodeAt(0) > 0xff ? 'word' : 'sign';
}

function nextWord(text: string, caret: number): number {
  let place = caret;
  const first = classOf(text[place]);
  while (place < text.length && first !== 'blank' && classOf(text[place]) === first) place += 1;
  while (place < text.length && classOf(text[place]) === 'blank') place += 1;
  return place;
}

function wordBefore(text: string, caret: number): number {
  let place = caret;
  while (place > 0 && classOf(text[place - 1]) === 'blank') place -= 1;
  const last = classOf(text[place - 1]);
  while (place > 0 && classOf(text[place - 1]) === last) place -= 1;
  return place;
}

function endOfWord(text: string, caret: number): number {
  let place = Math.min(caret + 1, text.length);
  while (place < text.length && classOf(text[place]) === 'blank') place += 1;
  const first = classOf(text[place]);
  while (place + 1 < text.length && classOf(text[place + 1]) === first) place += 1;
  return Math.min(place, Math.max(0, text.length - 1));
}
