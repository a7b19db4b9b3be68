/** The lines from `line` (counted from 1) on, at most `limit` of them. Line ends are kept, so that pieces join up again. */
export function sliceLines(text: string, line: number | undefined, limit: number | undefined): string {
  const start = startOfLine(text, 0, Math.max(0, (line ?? 1) - 1));
  return limit === undefined ? text.slice(start) : text.slice(start, startOfLine(text, start, limit));
}

/** Where a text stands after so many more lines; its end when it has fewer. */
function startOfLine(text: string, from: number, lines: number): number {
  let position = from;
  for (let count = 0; count < lines; count += 1) {
    const end = text.indexOf('\n', position);
    if (end < 0) return text.length;
    position = end + 1;
  }
  return position;
}
