import { type Line, type Span, STYLES, type Style } from '../text/styled-text.ts';
import { splitGraphemes, textWidth } from '../text/width.ts';
import type { Editor } from './editor.ts';
import { isMark, labelOfMark } from './pastes.ts';

export interface EditorLayout {
  readonly lines: readonly Line[];
  readonly caret: { readonly row: number; readonly column: number };
}

export interface RowOptions {
  readonly width: number;
  /** Stands before the first row; the others are indented as much. */
  readonly prompt: Line;
}

export interface EditorLayoutOptions extends RowOptions {
  /** The part around the caret is shown when there is more. */
  readonly maxRows: number;
  /** Shown while the text is empty. */
  readonly placeholder?: string;
}

/** Puts the editor's text into rows. The caret has room of its own at the end of a full row. */
export function layoutEditor(editor: Editor, options: EditorLayoutOptions): EditorLayout {
  const { prompt, placeholder = '' } = options;
  const indent = widthOfPrompt(prompt);
  const width = roomFor(options);
  const { rows, caret } = breakIntoRows(editor, width);
  if (editor.text === '' && placeholder !== '') {
    rows[0] = [{ text: placeholder.slice(0, width), style: STYLES.dim }];
  }
  const start = Math.max(0, Math.min(caret.row - Math.floor(options.maxRows / 2), rows.length - options.maxRows));
  const shown = rows.slice(start, start + options.maxRows);
  const blank: Line = [{ text: ' '.repeat(indent) }];
  return {
    lines: shown.map((row, index) => [...(start + index === 0 ? prompt : blank), ...row]),
    caret: { row: caret.row - start, column: indent + caret.column },
  };
}

/** The editor with the caret one row up or down, in rows as they are shown; undefined where there is no such row. */
export function moveByRow(editor: Editor, direction: -1 | 1, options: RowOptions): Editor | undefined {
  const { caret, stops } = breakIntoRows(editor, roomFor(options));
  const row = stops[caret.row + direction];
  if (!row) return undefined;
  const stop = row.findLast(({ column }) => column <= caret.column) ?? row[0];
  return stop && { ...editor, caret: stop.index, isKilling: false };
}

function roomFor({ width, prompt }: RowOptions): number {
  return Math.max(2, width - widthOfPrompt(prompt) - 1);
}

function widthOfPrompt(prompt: Line): number {
  return prompt.reduce((width, { text }) => width + textWidth(text), 0);
}

interface Rows {
  readonly rows: Span[][];
  readonly caret: { readonly row: number; readonly column: number };
  /** Where the caret can stand, row by row. */
  readonly stops: { readonly index: number; readonly column: number }[][];
}

function breakIntoRows(editor: Editor, width: number): Rows {
  const { text, caret, pastes } = editor;
  const rows: Span[][] = [[]];
  const stops: Rows['stops'] = [[]];
  let used = 0;
  let place = { row: 0, column: 0 };
  const breakRow = (): void => {
    rows.push([]);
    stops.push([]);
    used = 0;
  };
  const stopAt = (place: number): void => {
    stops.at(-1)?.push({ index: place, column: used });
  };
  const put = (piece: string, style?: Style): void => {
    const size = textWidth(piece);
    if (used + size > width) breakRow();
    const row = rows.at(-1) ?? [];
    const last = row.at(-1);
    if (last && last.style === style) row[row.length - 1] = { text: last.text + piece, style };
    else row.push({ text: piece, style });
    used += size;
  };
  let index = 0;
  for (const grapheme of splitGraphemes(text)) {
    if (index === caret) place = { row: rows.length - 1, column: used };
    stopAt(index);
    index += grapheme.length;
    if (grapheme === '\n') breakRow();
    else if (isMark(grapheme)) for (const letter of labelOfMark(pastes, grapheme)) put(letter, STYLES.dim);
    else put(grapheme === '\t' ? ' ' : grapheme);
  }
  if (caret >= text.length) place = { row: rows.length - 1, column: used };
  stopAt(text.length);
  return { rows, caret: place, stops };
}
