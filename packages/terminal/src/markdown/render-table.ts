import type { Tokens } from 'marked';
import { addStyle, type Line, type Span, STYLES } from '../text/styled-text.ts';
import { widthOf, wrapWords } from '../text/wrap.ts';
import { inlineSpans } from './inline-text.ts';

const GAP = ' │ ';
/** Narrower columns cannot be read; such a table is shown row by row instead. */
const MIN_COLUMN = 6;

/** A table whose columns fit into `width`; cells that are too wide are wrapped. */
export function renderTable(table: Tokens.Table, width: number): Line[] {
  const header = table.header.map(({ tokens }) => bold(inlineSpans(tokens)));
  const rows = table.rows.map((row) => row.map(({ tokens }) => oneLine(inlineSpans(tokens))));
  const natural = header.map((cell, column) =>
    Math.max(1, widthOf(cell), ...rows.map((row) => widthOf(row[column] ?? []))),
  );
  const widths = shrink(natural, width - GAP.length * (header.length - 1));
  if (!widths) return renderAsRecords(header, rows, width);
  const align = table.align;
  const rule: Line = [{ text: widths.map((column) => '─'.repeat(column)).join('─┼─'), style: STYLES.dim }];
  return [...renderRow(header, widths, align), rule, ...rows.flatMap((row) => renderRow(row, widths, align))];
}

/** Takes columns from the widest until all fit; undefined when they cannot. */
function shrink(natural: readonly number[], room: number): number[] | undefined {
  if (room < natural.reduce((sum, column) => sum + Math.min(column, MIN_COLUMN), 0)) return undefined;
  const widths = [...natural];
  for (let excess = widths.reduce((sum, column) => sum + column, 0) - room; excess > 0; ) {
    const widest = Math.max(...widths);
    const second = Math.max(0, ...widths.filter((column) => column < widest));
    const count = widths.filter((column) => column === widest).length;
    const step = Math.max(1, Math.min(widest - Math.max(second, 1), Math.floor(excess / count)));
    for (const [index, column] of widths.entries()) {
      if (column !== widest || excess <= 0) continue;
      widths[index] = column - Math.min(step, excess);
      excess -= Math.min(step, excess);
    }
  }
  return widths;
}

function renderRow(cells: readonly Line[], widths: readonly number[], align: Tokens.Table['align']): Line[] {
  const wrapped = widths.map((width, column) => wrapWords(cells[column] ?? [], width));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    widths.flatMap((width, column) => {
      const cell = padded(wrapped[column]?.[row] ?? [], width, align[column] ?? 'left');
      return column === 0 ? cell : [{ text: GAP, style: STYLES.dim }, ...cell];
    }),
  );
}

function padded(line: Line, width: number, align: 'left' | 'center' | 'right'): Span[] {
  const room = Math.max(0, width - widthOf(line));
  const before = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0;
  return [{ text: ' '.repeat(before) }, ...line, { text: ' '.repeat(room - before) }];
}

function renderAsRecords(header: readonly Line[], rows: readonly (readonly Line[])[], width: number): Line[] {
  return rows.flatMap((row) =>
    row.flatMap((cell, column) => wrapWords([...(header[column] ?? []), { text: ': ' }, ...cell], width)),
  );
}

function bold(spans: readonly Span[]): Span[] {
  return oneLine(spans).map(({ text, style }) => ({ text, style: addStyle(style, STYLES.bold) }));
}

function oneLine(spans: readonly Span[]): Span[] {
  return spans.map(({ text, style }) => ({ text: text.replaceAll('\n', ' '), style }));
}
