import type { Line, Span, Style } from './styled-text.ts';
import { isPrintableAscii, splitGraphemes, textWidth } from './width.ts';

/** Breaks a line between words, so that no part is wider than `width`. A word that is wider itself is broken inside. */
export function wrapWords(line: Line, width: number): Line[] {
  const rows = new RowBuilder(width);
  for (const word of splitWords(line)) rows.addWord(word);
  return rows.finish();
}

/** Breaks a line at spaces where it can, and keeps those within a row: for output that may be words as well as columns. */
export function wrapOutput(line: Line, width: number): Line[] {
  const rows = new RowBuilder(width);
  for (const piece of splitPieces(line)) rows.addPiece(piece);
  return rows.finish();
}

/** Breaks a line wherever it is full, and keeps all of its spaces: for code. */
export function wrapHard(line: Line, width: number): Line[] {
  const rows = new RowBuilder(width);
  for (const { text, style } of line) rows.addText(expandTabs(text), style);
  return rows.finish();
}

/** Cuts a line that is too wide and marks the cut. */
export function clip(line: Line, width: number): Line {
  if (widthOf(line) <= width) return line;
  if (width < 1) return [];
  const clipped: Span[] = [];
  let left = width - 1;
  for (const { text, style } of line) {
    const kept = fitting(text, left);
    clipped.push({ text: kept, style });
    left -= textWidth(kept);
    if (kept.length < text.length) break;
  }
  return [...clipped, { text: '…' }];
}

/** Puts something before each line: `first` before the first, `rest` before all others. Both must be equally wide. */
export function withPrefix(lines: readonly Line[], first: Line, rest: Line = blankOf(first)): Line[] {
  return lines.map((line, index) => [...(index === 0 ? first : rest), ...line]);
}

export function widthOf(line: Line): number {
  let width = 0;
  for (const { text } of line) width += textWidth(text);
  return width;
}

/** Tabs have no width of their own; two spaces keep the text apart and code shallow. */
export function expandTabs(text: string): string {
  return text.includes('\t') ? text.replaceAll('\t', '  ') : text;
}

interface Word {
  readonly spans: readonly Span[];
  readonly width: number;
  /** The space before it, in its style; dropped where a line breaks. */
  readonly space: Span | undefined;
}

class RowBuilder {
  readonly #width: number;
  readonly #rows: Span[][] = [[]];
  #used = 0;
  /** The spaces behind the last word. */
  #spaces: Piece | undefined;

  constructor(width: number) {
    this.#width = Math.max(1, width);
  }

  addWord({ spans, width, space }: Word): void {
    const spaceWidth = space && this.#used > 0 ? 1 : 0;
    if (this.#used + spaceWidth + width <= this.#width) {
      if (space && spaceWidth > 0) this.#put(space.text.slice(0, 1), space.style, 1);
      for (const span of spans) this.#put(span.text, span.style, textWidth(span.text));
      return;
    }
    const isTooWide = width > this.#width;
    if (isTooWide && space && this.#used > 0 && this.#used + 1 < this.#width) this.#put(' ', space.style, 1);
    else if (this.#used > 0) this.#break();
    for (const span of spans) this.addText(span.text, span.style);
  }

  /** A word, or the spaces between two, which are dropped where the row ends. */
  addPiece(piece: Piece): void {
    if (piece.isSpace && this.#used > 0) {
      this.#spaces = piece;
      return;
    }
    const { spans: between, width: gap } = this.#spaces ?? { spans: [], width: 0 };
    this.#spaces = undefined;
    const fits = this.#used + gap + piece.width <= this.#width;
    const isTooWide = piece.width > this.#width && this.#used + gap < this.#width;
    if (fits || isTooWide) for (const { text, style } of between) this.addText(text, style);
    else if (this.#used > 0) this.#break();
    for (const { text, style } of piece.spans) this.addText(text, style);
  }

  addText(text: string, style: Style | undefined): void {
    let rest = text;
    while (rest !== '') {
      const kept = fitting(rest, this.#width - this.#used);
      if (kept !== '') this.#put(kept, style, textWidth(kept));
      rest = rest.slice(kept.length);
      if (rest === '') return;
      if (this.#used > 0) this.#break();
      else rest = this.#putSubstitute(rest, style);
    }
  }

  finish(): Line[] {
    return this.#rows;
  }

  #put(text: string, style: Style | undefined, width: number): void {
    const row = this.#rows.at(-1) ?? [];
    const last = row.at(-1);
    if (last && last.style === style) row[row.length - 1] = { text: last.text + text, style };
    else row.push({ text, style });
    this.#used += width;
  }

  #break(): void {
    this.#rows.push([]);
    this.#used = 0;
  }

  /** A character that is wider than the whole line is taken apart, or else shown as a question mark. */
  #putSubstitute(text: string, style: Style | undefined): string {
    const part = String.fromCodePoint(text.codePointAt(0) ?? 0);
    const width = textWidth(part);
    if (width <= this.#width) this.#put(part, style, width);
    else this.#put('?', style, 1);
    return text.slice(part.length);
  }
}

function splitWords(line: Line): Word[] {
  const words: Word[] = [];
  let spans: Span[] = [];
  let space: Span | undefined;
  const end = (): void => {
    if (spans.length > 0) words.push({ spans, width: widthOf(spans), space });
    spans = [];
    space = undefined;
  };
  for (const { text, style } of line) {
    for (const piece of text.split(/([ \t\n]+)/)) {
      if (piece === '') continue;
      if (/^[ \t\n]/.test(piece)) {
        end();
        space = { text: ' ', style };
      } else spans.push({ text: piece, style });
    }
  }
  end();
  return words;
}

interface Piece {
  readonly spans: readonly Span[];
  readonly width: number;
  readonly isSpace: boolean;
}

/** The words of a line and the spaces between them, in order. */
function splitPieces(line: Line): Piece[] {
  const pieces: Piece[] = [];
  let spans: Span[] = [];
  let isSpace = false;
  const end = (): void => {
    if (spans.length > 0) pieces.push({ spans, width: widthOf(spans), isSpace });
    spans = [];
  };
  for (const { text, style } of line) {
    for (const part of expandTabs(text).split(/( +)/)) {
      if (part === '') continue;
      if (part.startsWith(' ') !== isSpace) end();
      isSpace = part.startsWith(' ');
      spans.push({ text: part, style });
    }
  }
  end();
  return pieces;
}

/** As much of the text as fits, without breaking a character. */
function fitting(text: string, width: number): string {
  if (width <= 0) return '';
  // Looking only at what could fit keeps very long lines from costing the square of their length.
  if (text.length <= width && isPrintableAscii(text)) return text;
  const start = sliceWhole(text, width * MAX_UNITS_PER_COLUMN);
  const ascii = text.slice(0, width + 1);
  if (isPrintableAscii(ascii)) return text.slice(0, width);
  let kept = '';
  let used = 0;
  for (const grapheme of splitGraphemes(start)) {
    const next = textWidth(grapheme);
    if (used + next > width) break;
    kept += grapheme;
    used += next;
  }
  return kept;
}

/** A letter with this many accents is taken apart; nobody writes such a letter in earnest. */
const MAX_UNITS_PER_COLUMN = 32;

/** Cuts a text without cutting a character into halves. */
function sliceWhole(text: string, length: number): string {
  const isHalf = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return text.slice(0, isHalf ? length + 1 : length);
}

function blankOf(line: Line): Line {
  return [{ text: ' '.repeat(widthOf(line)) }];
}
