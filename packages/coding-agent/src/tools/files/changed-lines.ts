import { headOf } from '@parley/models/model';
import type { TextRange } from './replace-text.ts';

const LINES_AROUND = 2;
const MAX_LINES = 60;
const MAX_LINE_CHARACTERS = 500;

/** The changed parts of a text with their line numbers, so that nobody has to read the file again to see them. */
export function showChangedLines(content: string, ranges: readonly TextRange[]): string {
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const wanted = new Set<number>();
  for (const { start, end } of ranges) {
    const first = lineAt(content, start) - LINES_AROUND;
    // A new text that ends with a line end has its last line before that.
    const last = lineAt(content, Math.max(start, content[end - 1] === '\n' ? end - 1 : end)) + LINES_AROUND;
    for (let line = Math.max(1, first); line <= Math.min(lines.length, last); line++) wanted.add(line);
  }
  const shown = [...wanted].sort((one, other) => one - other);
  const rows = shown.slice(0, MAX_LINES).flatMap((line, index) => {
    const row = `${String(line).padStart(5)}  ${headOf((lines[line - 1] ?? '').replace(/^\uFEFF/, '').trimEnd(), MAX_LINE_CHARACTERS)}`;
    return index > 0 && line > (shown[index - 1] ?? 0) + 1 ? ['  ...', row] : [row];
  });
  const left = shown.length - MAX_LINES;
  return [...rows, ...(left > 0 ? [`(${left} more changed lines)`] : [])].join('\n');
}

function lineAt(content: string, at: number): number {
  let line = 1;
  for (let next = content.indexOf('\n'); next >= 0 && next < at; next = content.indexOf('\n', next + 1)) line++;
  return line;
}
