import { type PaintOptions, paint } from '../text/paint.ts';
import { type Line, textOfLine } from '../text/styled-text.ts';
import { isPrintableAscii, splitGraphemes, textWidth } from '../text/width.ts';
import { clip, widthOf, wrapWords } from '../text/wrap.ts';
import type { Theme } from '../theme/theme.ts';

/** The part of the terminal that a screen draws on. */
export interface Surface {
  readonly columns: number;
  readonly rows: number;
  write(bytes: string): void;
}

export interface ScreenOptions {
  readonly surface: Surface;
  readonly hasColor: boolean;
  /** Whether the terminal shows nothing but ASCII. Default: false. */
  readonly isAscii?: boolean;
  /** Whether the terminal breaks long lines anew when it becomes narrower. Default: true, as nearly all of them do. */
  readonly doesReflow?: boolean;
}

/** What is shown at the bottom and still changes. */
export interface LiveRegion {
  readonly lines: readonly Line[];
  /** Where the cursor stands: at the place where the person writes. */
  readonly caret: { readonly row: number; readonly column: number };
}

/**
 * Draws like a careful teletype: finished lines are printed once and belong to the terminal's own scrollback from then
 * on; only the live region below them is painted again, and of it only what changed. Nothing is ever cleared but that region.
 */
export class Screen {
  readonly #surface: Surface;
  #paint: PaintOptions;
  readonly #doesReflow: boolean;
  #shown: Shown = NOTHING;

  constructor({ surface, hasColor, isAscii = false, doesReflow = true }: ScreenOptions) {
    this.#surface = surface;
    this.#paint = { hasColor, isAscii };
    this.#doesReflow = doesReflow;
  }

  /** The last column stays empty: what terminals do after writing into it differs. */
  get width(): number {
    return Math.max(1, this.#surface.columns - 1);
  }

  get rows(): number {
    return this.#surface.rows;
  }

  /** From now on colours are those of this theme. */
  setTheme(theme: Theme): void {
    this.#paint = { ...this.#paint, theme };
  }

  /** Prints finished lines for good, and shows the live region below them. */
  render(finished: readonly Line[], live: LiveRegion): void {
    const next = this.#prepare(live);
    const before = this.#shown;
    const isSameWidth = before === NOTHING || before.columns === next.columns;
    // Rows that the terminal has broken itself stay joined for it, whatever is written over them: made wider again it
    // would join ours, and we would move too far up. A row that is erased as a whole stands alone.
    const start = isSameWidth ? '' : ERASE_LINE;
    const body =
      finished.length === 0 && before !== NOTHING && isSameWidth
        ? repaintChanges(before, next)
        : this.#moveToTop() + this.#printFinished(finished, start) + printAll(next, start);
    this.#shown = next;
    if (body !== '') this.#surface.write(BEGIN + body + placeCaret(next, this.#paint) + END);
  }

  /** Takes the live region away, so that others may write where it was. */
  clear(): void {
    if (this.#shown === NOTHING) return;
    this.#surface.write(`${BEGIN}${this.#moveToTop()}${ERASE_BELOW}${END}`);
    this.#shown = NOTHING;
  }

  /** Prints finished lines without a live region below. */
  print(lines: readonly Line[]): void {
    this.clear();
    if (lines.length > 0) this.#surface.write(this.#printFinished(lines));
  }

  #prepare({ lines, caret }: LiveRegion): Shown {
    const clipped = lines.slice(-Math.max(1, this.rows - 1)).map((line) => clip(line, this.width));
    const dropped = lines.length - clipped.length;
    return {
      columns: this.#surface.columns,
      lines: clipped,
      painted: clipped.map((line) => paint(line, this.#paint)),
      caret: {
        row: Math.min(Math.max(0, caret.row - dropped), Math.max(0, clipped.length - 1)),
        column: Math.min(caret.column, this.width),
      },
    };
  }

  #printFinished(lines: readonly Line[], start = ''): string {
    let output = '';
    for (const line of lines) {
      const rows = widthOf(line) <= this.width ? [line] : breakLine(line, this.width);
      for (const row of rows) output += `${start}${paint(row, this.#paint)}${ERASE_REST}\r\n`;
    }
    return output;
  }

  /** Moves to the first row of what is shown, also when the terminal was made narrower since. */
  #moveToTop(): string {
    const { caret, lines, columns } = this.#shown;
    const isNarrower = this.#surface.columns < columns && this.#doesReflow;
    const above = lines.slice(0, caret.row);
    const rows = isNarrower ? above.reduce((sum, line) => sum + rowsAt(line, this.#surface.columns), 0) : above.length;
    return `${rows > 0 ? `${CSI}${rows}A` : ''}\r`;
  }
}

interface Shown {
  /** How wide the terminal was. */
  readonly columns: number;
  readonly lines: readonly Line[];
  readonly painted: readonly string[];
  readonly caret: { readonly row: number; readonly column: number };
}

const NOTHING: Shown = { columns: 0, lines: [], painted: [], caret: { row: 0, column: 0 } };

const CSI = '\u001b[';
const ERASE_REST = `${CSI}K`;
const ERASE_LINE = `${CSI}2K`;
const ERASE_BELOW = `${CSI}J`;
/** Synchronized output (DEC mode 2026): a terminal that knows it shows the whole frame at once. */
const BEGIN = `${CSI}?2026h${CSI}?25l`;
const END = `${CSI}?25h${CSI}?2026l`;

/** Paints the rows that differ, from where the cursor is to the last row. */
function repaintChanges(before: Shown, next: Shown): string {
  let row = before.caret.row;
  let output = '';
  const moveTo = (target: number): void => {
    if (target < row) output += `${CSI}${row - target}A`;
    const existing = Math.min(target, before.lines.length - 1) - row;
    if (existing > 0) output += `${CSI}${existing}B`;
    // Rows that do not exist yet are made with line breaks.
    output += `${'\n'.repeat(Math.max(0, target - Math.max(row, before.lines.length - 1)))}\r`;
    row = target;
  };
  for (const [index, painted] of next.painted.entries()) {
    if (painted === before.painted[index]) continue;
    moveTo(index);
    output += painted + ERASE_REST;
  }
  if (next.lines.length < before.lines.length) {
    moveTo(next.lines.length);
    output += ERASE_BELOW;
  }
  const isSameCaret = before.caret.row === next.caret.row && before.caret.column === next.caret.column;
  if (output === '' && isSameCaret) return '';
  moveTo(Math.max(0, next.lines.length - 1));
  return output;
}

function printAll({ painted }: Shown, start: string): string {
  return painted.map((row) => start + row).join(`${ERASE_REST}\r\n`) + ERASE_BELOW;
}

/**
 * From the last row to the caret. Where a terminal may see the width of a character otherwise than we do, the text before
 * the caret is written once more: wherever that ends is the right place.
 */
function placeCaret({ lines, caret }: Shown, options: PaintOptions): string {
  const up = lines.length - 1 - caret.row;
  const move = `${up > 0 ? `${CSI}${up}A` : ''}\r`;
  if (caret.column === 0) return move;
  const line = lines[caret.row] ?? [];
  if (isPrintableAscii(textOfLine(line))) return `${move}${CSI}${caret.column}C`;
  return move + paint(startOf(line, caret.column), options);
}

function startOf(line: Line, width: number): Line {
  const start: { text: string; style?: Line[number]['style'] }[] = [];
  let left = width;
  for (const { text, style } of line) {
    let kept = '';
    for (const grapheme of splitGraphemes(text)) {
      left -= textWidth(grapheme);
      if (left < 0) return [...start, { text: kept, style }];
      kept += grapheme;
    }
    start.push({ text: kept, style });
  }
  return left > 0 ? [...start, { text: ' '.repeat(left) }] : start;
}

/** A line that was made for a wider window, in rows that keep its indent and its words. */
function breakLine(line: Line, width: number): Line[] {
  const indent = /^ */.exec(textOfLine(line))?.[0] ?? '';
  const room = width - indent.length;
  if (room < MIN_INDENTED_WIDTH) return wrapWords(line, width);
  return wrapWords(line, room).map((row) => [{ text: indent }, ...row]);
}

const MIN_INDENTED_WIDTH = 10;

/** How many rows a line takes once it is broken at so many columns. */
function rowsAt(line: Line, columns: number): number {
  const text = textOfLine(line).trimEnd();
  if (isPrintableAscii(text)) return Math.max(1, Math.ceil(text.length / columns));
  let rows = 1;
  let used = 0;
  for (const grapheme of splitGraphemes(text)) {
    const width = textWidth(grapheme);
    if (used + width > columns) {
      rows += 1;
      used = 0;
    }
    used += width;
  }
  return rows;
}
