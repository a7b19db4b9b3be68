import { type ToolResult, textOf } from '../model/history.ts';
import { headOf } from '../text.ts';
import { inlineCode } from './inline-code.ts';
import type { Action } from './intent.ts';

const MAX_EXCERPT_LINES = 20;
const MAX_EXCERPT_CHARS = 2_000;
const MAX_QUOTED_CHARS = 60;

/** An action as an imperative: `read src/a.ts`. */
export function describeAction(action: Action): string {
  switch (action.kind) {
    case 'read':
      return `read ${inlineCode(action.path)}`;
    case 'list':
      return `list ${action.pattern ? `files matching ${inlineCode(action.pattern)}` : 'the files'}${action.path ? ` in ${inlineCode(action.path)}` : ''}`;
    case 'search':
      return `search for ${short(action.pattern)}${action.path ? ` in ${inlineCode(action.path)}` : ''}`;
    case 'replace':
      return `replace ${short(action.oldText)} with ${short(action.newText)} in ${inlineCode(action.path)}`;
    case 'write':
      return `write ${inlineCode(action.path)}`;
    case 'append':
      return `append ${short(action.text)} to ${inlineCode(action.path)}`;
    case 'delete':
      return `delete ${inlineCode(action.path)}`;
    case 'move':
      return `move ${inlineCode(action.from)} to ${inlineCode(action.to)}`;
    case 'run':
      return `run ${inlineCode(action.command)}`;
    case 'fetch':
      return `fetch ${action.url}`;
    case 'ask':
      return `ask ${short(action.question)}`;
    case 'call':
      return `call ${inlineCode(action.tool)}`;
  }
}

/** The results of these are what the person wanted to see. */
const SHOWS_RESULT: ReadonlySet<Action['kind']> = new Set(['read', 'list', 'search', 'run', 'fetch', 'call', 'ask']);

/** One finished action in words: that it worked or that it failed, and what the tool said. */
export function describeResult(action: Action, result: ToolResult): string {
  const text = textOf(result.content);
  const what = describeAction(action);
  if (result.isError) return `I could not ${what}:\n\n${excerpt(text || 'The tool gave no reason.')}`;
  if (!SHOWS_RESULT.has(action.kind)) return `Done: ${what}.`;
  if (text === '') return `Done: ${what}. There was nothing to show.`;
  return `Done: ${what}.\n\n${excerpt(text)}`;
}

/** The beginning of a text in a fence that the text itself cannot close. */
function excerpt(text: string): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  const shown = headOf(lines.slice(0, MAX_EXCERPT_LINES).join('\n'), MAX_EXCERPT_CHARS);
  const left = lines.length - shown.split('\n').length;
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const more = left > 0 ? `\n(${left} more ${left === 1 ? 'line' : 'lines'})` : '';
  return `${fence}\n${shown}\n${fence}${more}`;
}

function short(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ');
  return `"${oneLine.length > MAX_QUOTED_CHARS ? `${headOf(oneLine, MAX_QUOTED_CHARS)}…` : oneLine}"`;
}
