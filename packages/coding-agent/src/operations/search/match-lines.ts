import { createContext, Script } from 'node:vm';
import { ParleyError } from '@parley/jsonrpc';
import type { SearchQuery } from '../../tools/operations.ts';

/** The lines of a text that fit, counted from 1; `[]` when none does. */
export type LineMatcher = (text: string) => readonly { readonly line: number; readonly text: string }[];

/** How long one file may take. Some expressions would need years for some lines. */
const MAX_MATCH_MS = 1000;

/** Finds the lines that a query means. A model's regular expression runs where it can be stopped. */
export function createLineMatcher(query: Pick<SearchQuery, 'pattern' | 'isRegex' | 'isCaseSensitive'>): LineMatcher {
  const { pattern, isRegex, isCaseSensitive } = query;
  const source = isRegex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const expression = compileExpression(source, isCaseSensitive ? '' : 'i');
  const find = isRegex ? createStoppable(expression) : (lines: readonly string[]) => indexesOf(expression, lines);
  return (text) => {
    const lines = text.split(/\r?\n/);
    return find(lines).map((index) => ({ line: index + 1, text: lines[index] ?? '' }));
  };
}

/** By the strict rules, else by those of old, which take the escapes and braces that people and models are used to. */
export function compileExpression(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

function indexesOf(expression: RegExp, lines: readonly string[]): number[] {
  return lines.flatMap((line, index) => (expression.test(line) ? [index] : []));
}

function createStoppable(expression: RegExp): (lines: readonly string[]) => number[] {
  const world = { expression, lines: [] as readonly string[] };
  const context = createContext(world);
  const script = new Script('lines.flatMap((line, index) => (expression.test(line) ? [index] : []))');
  return (lines) => {
    world.lines = lines;
    try {
      return script.runInContext(context, { timeout: MAX_MATCH_MS }) as number[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new ParleyError(
        'search_slow',
        'This regular expression takes too long; use a simpler one without nested repetition, or plain text.',
        { cause: error },
      );
    }
  };
}
