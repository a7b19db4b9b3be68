import { cleanText } from './clean-text.ts';
import { textOfLine } from './styled-text.ts';
import { textWidth } from './width.ts';
import { clip } from './wrap.ts';

/** Rows as aligned columns. The last column is as long as it likes, or as long as the lines of a terminal leave room for. */
export function formatTable(rows: readonly (readonly string[])[], { width }: { readonly width?: number } = {}): string {
  const clean = rows.map((row) => row.map((cell) => cleanText(cell).replaceAll('\n', ' ')));
  const widths: number[] = [];
  for (const row of clean)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, textWidth(cell));
  return clean
    .map((row) =>
      row
        .map((cell, index) => (index === row.length - 1 ? cell : pad(cell, widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${width === undefined ? line : clipText(line, width)}\n`)
    .join('');
}

/** What fits into so many columns of a terminal, with an ellipsis where more would follow. */
export function clipText(text: string, width: number): string {
  return textOfLine(clip([{ text }], width));
}

/** Wide characters take two columns. */
function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - textWidth(cell)));
}
