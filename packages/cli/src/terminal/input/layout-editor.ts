import { type Line, type Span, STYLES, type Style } from '../text/styled-text.ts';
import { splitGraphemes, textWidth } from '../text/width.ts';
import type { Editor } from './editor.ts';
import { isMark, labelOfMark } from './pastes.ts';

export interface EditorLayout {
  readonly lines: readonly Line[];
  readonly caret: { readonly row: number; readonly column: number };
}

export interface EditorLayoutOptions {
  readonly width: number;
  /** The part around the caret is shown when there is more. */
  readonly maxRows: number;
  /** Stands before the first row; the others are indented as much. */
  readonly prompt: Line;
  /** Shown while the text is empty. */
  readonly placeholder?: string;
}

/** Puts the editor's text into rows. The caret has room of its own at the end of a full row. */
export function layoutEditor(editor: Editor, options: EditorLayoutOptions): EditorLayout {
  const { prompt, placeholder = '' } = options;
  const indent = prompt.reduce((width, { text }) => width + textWidth(text), 0);
  const width = Math.max(2, options.width - indent - 1);
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

function breakIntoRows(editor: Editor, width: number): { rows: Span[][]; caret: { row: number; column: number } } {
  const { text, caret, pastes } = editor;
  const rows: Span[][] = [[]];
  let used = 0;
  let place = { row: 0, column: 0 };
  const breakRow = (): void => {
    rows.push([]);
    used = 0;
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
    index += grapheme.length;
    if (grapheme === '\n') breakRow();
    else if (isMark(grapheme)) for (const letter of labelOfMark(pastes, grapheme)) put(letter, STYLES.dim);
    else put(grapheme === '\t' ? ' ' : grapheme);
  }
  if (caret >= text.length) place = { row: rows.length - 1, column: used };
  return { rows, caret: place };
}
