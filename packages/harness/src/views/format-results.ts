import type { Result } from '../compare/runs/read-results.ts';
import { attemptsOf, formatSummary, joined, type ViewedAttempt } from './summarize.ts';

/** How `parley eval format` writes results. */
export type FormatStyle = 'jsonl' | 'markdown' | 'csv';

export const FORMAT_STYLES: readonly FormatStyle[] = ['jsonl', 'markdown', 'csv'];

/** Results as text of a style, piece by piece as they are read. */
export async function* formatResults(
  results: AsyncIterable<Result>,
  style: FormatStyle,
): AsyncGenerator<string, void, undefined> {
  if (style === 'csv') yield `${CSV_COLUMNS.map(({ name }) => name).join(',')}\r\n`;
  for await (const result of results) {
    if (style === 'jsonl') yield `${JSON.stringify('written' in result ? result.written : result.value)}\n`;
    else for (const attempt of attemptsOf(result)) yield style === 'csv' ? csvLine(attempt) : formatSummary(attempt);
  }
}

const CSV_COLUMNS: readonly {
  readonly name: string;
  value(attempt: ViewedAttempt): string | number | boolean | undefined;
}[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'input', value: ({ input }) => joined(input) },
  { name: 'output', value: ({ output }) => output },
  { name: 'hint', value: ({ hint }) => hint },
  { name: 'pass', value: ({ score }) => score?.pass },
  { name: 'score', value: ({ score }) => score?.score },
  { name: 'reasoning', value: ({ score }) => score?.reasoning },
  { name: 'duration_ms', value: ({ durationMs }) => durationMs },
  { name: 'steps', value: ({ trajectory }) => trajectory.length },
  { name: 'tool_calls', value: ({ trajectory }) => trajectory.filter(({ type }) => type === 'tool_call').length },
  { name: 'tool_errors', value: ({ toolErrors }) => toolErrors },
  { name: 'errors', value: ({ errors }) => errors.join('; ') },
];

function csvLine(attempt: ViewedAttempt): string {
  return `${CSV_COLUMNS.map(({ value }) => csvCell(value(attempt))).join(',')}\r\n`;
}

/** As RFC 4180 has it. A text that a spreadsheet would take for a formula gets an apostrophe, which makes it a text there. */
function csvCell(value: string | number | boolean | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
