import type { CaptureResult } from '../formats/capture-result.ts';
import {
  AMOUNT,
  ANY,
  createFormat,
  FLAG,
  type Format,
  INPUT,
  openObject,
  optional,
  required,
  TEXT,
} from '../formats/format.ts';
import { type GraderResult, graderResult } from '../formats/grader.ts';

/** What any result of one attempt has, whichever command wrote it. */
export interface AnyResult extends Pick<CaptureResult, 'id' | 'input' | 'output'> {
  readonly hint?: string;
  readonly score?: GraderResult;
  readonly toolErrors?: boolean;
  readonly error?: string;
  readonly errors?: unknown;
  readonly graderError?: string;
  readonly timing?: { readonly total: number };
  readonly metadata?: unknown;
}

export const anyResult: Format<AnyResult> = createFormat({
  name: 'AnyResult',
  says: 'A result of capture, extract or grade.',
  shape: openObject<AnyResult>({
    id: required(TEXT, 'the case'),
    input: required(INPUT, 'what the agent was asked'),
    output: required(TEXT, 'what it answered'),
    hint: optional(TEXT, 'what a good answer has'),
    score: optional(graderResult.shape, 'what the grader found'),
    toolErrors: optional(FLAG, 'whether a tool call failed'),
    error: optional(TEXT, 'what went wrong'),
    errors: optional(ANY, 'what went wrong'),
    graderError: optional(TEXT, 'why there is no score'),
    timing: optional(openObject<{ readonly total: number }>({ total: required(AMOUNT, 'milliseconds') }), 'how long'),
    metadata: optional(ANY, 'of the case'),
  }),
});

export type ResultStyle = 'jsonl' | 'markdown' | 'csv';

/** Writes results one by one in a style; `head` comes first. */
export interface ResultFormatter {
  readonly head: string;
  format(result: AnyResult): string;
}

export function resultFormatter(style: ResultStyle): ResultFormatter {
  if (style === 'jsonl') return { head: '', format: (result) => `${JSON.stringify(result)}\n` };
  if (style === 'csv')
    return { head: `${COLUMNS.join(',')}\r\n`, format: (result) => `${toRow(result).map(quoteCell).join(',')}\r\n` };
  return { head: '# Results\n', format: toMarkdown };
}

const COLUMNS = [
  'id',
  'input',
  'output',
  'hint',
  'pass',
  'score',
  'reasoning',
  'toolErrors',
  'duration',
  'error',
] as const;

function toRow(result: AnyResult): readonly string[] {
  const { id, input, output, hint = '', score, toolErrors, timing } = result;
  return [
    id,
    [input].flat().join('\n'),
    output,
    hint,
    score ? String(score.pass) : '',
    score ? String(score.score) : '',
    score?.reasoning ?? '',
    toolErrors === undefined ? '' : String(toolErrors),
    timing ? String(timing.total) : '',
    errorOf(result),
  ];
}

/** As RFC 4180 has it. */
function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function errorOf({ error, errors, graderError }: AnyResult): string {
  return error ?? (Array.isArray(errors) ? errors.join(' ') : undefined) ?? graderError ?? '';
}

function toMarkdown(result: AnyResult): string {
  const { id, input, output, hint, score, timing } = result;
  const error = errorOf(result);
  const facts = [
    ...(hint === undefined ? [] : [`**Hint:** ${oneLine(hint)}`]),
    ...(score
      ? [
          `**Score:** ${score.pass ? 'pass' : 'fail'} (${score.score})${score.reasoning ? `: ${oneLine(score.reasoning)}` : ''}`,
        ]
      : []),
    ...(timing ? [`**Duration:** ${timing.total} ms`] : []),
    ...(error === '' ? [] : [`**Error:** ${oneLine(error)}`]),
  ];
  const asked = [input].flat().map((text) => `**Input:** ${oneLine(text)}`);
  return `\n## ${oneLine(id)}\n\n${asked.join('\n\n')}\n\n${fence(output)}\n\n${facts.join('  \n')}\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** A block whose fence is longer than any in it. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}text\n${text}\n${mark}`;
}
