/** A line that a command wrote, and when. */
export interface RecordedLine {
  /** Since the command was started. */
  readonly ms: number;
  readonly line: string;
}

/** Lines as they are kept in a file: with their times, each as an object. */
export function formatRecorded(lines: readonly RecordedLine[]): string {
  return lines.map(({ ms, line }) => `${JSON.stringify({ ms, line })}\n`).join('');
}

/** The lines of a sample: as a command wrote them, or as `formatRecorded` keeps them. */
export function readRecorded(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('{"ms":') ? unwrap(line) : line));
}

function unwrap(text: string): string {
  try {
    const { line, ...rest } = JSON.parse(text) as { readonly line?: unknown };
    return typeof line === 'string' && Object.keys(rest).join() === 'ms' ? line : text;
  } catch {
    return text;
  }
}
