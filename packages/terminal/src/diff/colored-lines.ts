import type { DiffLine } from '@parley/session/diff';
import { highlight, languageOfPath } from '../highlight/highlighter.ts';
import { addStyle, type Line, type Span } from '../text/styled-text.ts';
import { expandTabs } from '../text/wrap.ts';

/** The lines of a diff in the colours of their language; none where that is not known. Tabs are spaces in them. */
export function colorLines(hunks: readonly (readonly DiffLine[])[], path: string): ReadonlyMap<DiffLine, Line> {
  const colored = new Map<DiffLine, Line>();
  const language = languageOfPath(path);
  if (language === undefined) return colored;
  for (const hunk of hunks) {
    // Each side is a text by itself: what was removed does not open a comment for what was added.
    for (const side of ['removed', 'added'] as const) {
      const lines = hunk.filter(({ kind }) => kind === side || kind === 'same');
      const text = lines.map((line) => expandTabs(line.text)).join('\n');
      const shown = highlight(text, language) ?? [];
      for (const [index, line] of lines.entries()) {
        const spans = shown[index];
        if (spans) colored.set(line, spans);
      }
    }
  }
  return colored;
}

/** The spans of a line with the styles of others on top of them, for the same text. */
export function overlay(below: readonly Span[], above: Line): Span[] {
  const result: Span[] = [];
  const rest = [...below];
  for (const { text, style } of above) {
    let left = text;
    while (left !== '') {
      const first = rest.shift();
      if (!first) return result;
      const taken = first.text.slice(0, left.length);
      result.push({ text: taken, style: addStyle(first.style, style) });
      if (first.text.length > taken.length) rest.unshift({ ...first, text: first.text.slice(taken.length) });
      left = left.slice(taken.length);
    }
  }
  return [...result, ...rest];
}
