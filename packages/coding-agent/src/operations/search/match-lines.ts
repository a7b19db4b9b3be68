import { setImmediate as nextTick } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';
import { ParleyError } from '@parley/jsonrpc';
import type { SearchQuery } from '../operations.ts';
import { compileExpression, literalExpression, readExpression } from './expression.ts';

/** The lines of a text that fit, counted from 1, and those for which the expression takes too long. */
export interface MatchedLines {
  readonly lines: readonly { readonly line: number; readonly text: string }[];
  readonly slow: readonly number[];
}

export type LineMatcher = (text: string) => MatchedLines | Promise<MatchedLines>;

/** How long one line may take. Some expressions would need years for some lines. */
const SLICE_MS = 100;
/** An expression with more slow lines than this is no use here. */
const MAX_SLOW_LINES = 20;

/** Finds the lines that a query means. A model's regular expression runs where it can be stopped. */
export function createLineMatcher(
  query: Pick<SearchQuery, 'pattern' | 'isRegex' | 'isCaseSensitive' | 'isMultiline'>,
): LineMatcher {
  const { pattern, isRegex, isCaseSensitive, isMultiline } = query;
  if (isMultiline) return createMultilineMatcher(query);
  if (isRegex) return createStoppable(compileExpression(readExpression(pattern, isCaseSensitive)));
  const expression = compileExpression(literalExpression(pattern, isCaseSensitive));
  return (text) => {
    const lines = splitLines(text);
    const found = lines.flatMap((line, index) => (expression.test(line) ? [{ line: index + 1, text: line }] : []));
    return { lines: found, slow: [] };
  };
}

export function splitLines(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

/** What the script in its own context reads and writes. It goes on where it was stopped. */
interface Work {
  readonly expression: RegExp;
  lines: readonly string[];
  at: number;
  found: number[];
}

function createStoppable(expression: RegExp): LineMatcher {
  const work: Work = { expression, lines: [], at: 0, found: [] };
  const run = createRunner(
    work,
    'for (; work.at < work.lines.length; work.at++) if (work.expression.test(work.lines[work.at])) work.found.push(work.at);',
  );
  let slowLines = 0;
  return async (text) => {
    const lines = splitLines(text);
    Object.assign(work, { lines, at: 0, found: [] });
    const slow: number[] = [];
    let [before, startedAt] = [-1, process.cpuUsage()];
    while (!run()) {
      await nextTick();
      if (work.at !== before) {
        [before, startedAt] = [work.at, process.cpuUsage()];
        continue;
      }
      // On a busy machine slices may pass while this process waits for a core: half a slice on the core must be spent.
      if (process.cpuUsage(startedAt).user < (SLICE_MS * 1000) / 2) continue;
      slow.push(++work.at);
      if (++slowLines > MAX_SLOW_LINES) throw tooSlow();
    }
    return { lines: work.found.map((index) => ({ line: index + 1, text: lines[index] ?? '' })), slow };
  };
}

/** Matches may go over several lines, of which each is told. */
function createMultilineMatcher({
  pattern,
  isRegex,
  isCaseSensitive,
}: Parameters<typeof createLineMatcher>[0]): LineMatcher {
  const { source, flags } = (isRegex ? readExpression : literalExpression)(pattern, isCaseSensitive);
  const expression = compileExpression({ source, flags: [...new Set(`${flags}gms`)].join('') });
  const work = { expression, text: '', ranges: [] as [number, number][] };
  const run = createRunner(
    work,
    'for (const match of work.text.matchAll(work.expression)) if (match[0] !== "") work.ranges.push([match.index, match.index + match[0].length]);',
  );
  let slowFiles = 0;
  return async (text) => {
    Object.assign(work, { text: text.replaceAll('\r\n', '\n'), ranges: [] });
    if (!run(10 * SLICE_MS)) {
      await nextTick();
      if (++slowFiles > MAX_SLOW_LINES) throw tooSlow();
      return { lines: [], slow: [1] };
    }
    return { lines: linesOf(work.text, work.ranges), slow: [] };
  };
}

function linesOf(text: string, ranges: readonly (readonly [number, number])[]): MatchedLines['lines'] {
  const lines = text.split('\n');
  const found: { line: number; text: string }[] = [];
  let [index, start] = [0, 0];
  for (const [from, to] of ranges) {
    while (index < lines.length && start + (lines[index]?.length ?? 0) < from)
      start += (lines[index++]?.length ?? 0) + 1;
    while (index < lines.length && start < to) {
      found.push({ line: index + 1, text: lines[index] ?? '' });
      start += (lines[index++]?.length ?? 0) + 1;
    }
  }
  return found;
}

/** Runs a script on some work; false when it was stopped before its end. */
function createRunner(work: object, source: string): (timeoutMs?: number) => boolean {
  const context = createContext({ work });
  const script = new Script(source);
  return (timeout = SLICE_MS) => {
    try {
      script.runInContext(context, { timeout });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
      throw error;
    }
  };
}

function tooSlow(): ParleyError {
  return new ParleyError(
    'search_slow',
    'This regular expression takes too long; use a simpler one without nested repetition, or plain text.',
  );
}
