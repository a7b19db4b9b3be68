import { cleanText } from '../terminal/text/clean-text.ts';

/** Rows as aligned columns; the last column is as long as it likes. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map((cell) => cleanText(cell).replaceAll('\n', ' ')));
  const widths: number[] = [];
  for (const row of clean)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return clean
    .map((row) =>
      row
        .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
