import { type DiffLine, splitLines } from '@parley/session/diff';
import type { FileStep } from './file-steps.ts';

/**
 * What a file held before these changes, by what it holds now; null stands for no file. Undefined when something else has changed
 * it where they did: then nobody can tell.
 */
export function undoSteps(
  now: string | null,
  steps: readonly FileStep[],
): { readonly text: string | null } | undefined {
  let text = now;
  for (const step of steps.toReversed()) {
    const undone = undoStep(text, step);
    if (!undone) return undefined;
    ({ text } = undone);
  }
  return { text };
}

function undoStep(now: string | null, { texts, hunks, note }: FileStep): { readonly text: string | null } | undefined {
  if (texts && now === texts.after) return { text: texts.before };
  if (now === null)
    return note === 'deleted' ? { text: joinLines(sideOf(hunks.flat(), 'removed'), '\n', true) } : undefined;
  const lineEnd = now.includes('\r\n') ? '\r\n' : '\n';
  let lines = splitLines(now);
  // From the end on, so that the numbers of the earlier ones stay right.
  for (const hunk of hunks.toReversed()) {
    const undone = undoHunk(lines, hunk);
    if (!undone) return undefined;
    lines = undone;
  }
  const isNew = note === 'new file' || texts?.before === null;
  if (isNew && lines.length === 0) return { text: null };
  return { text: joinLines(lines, lineEnd, now.endsWith('\n')) };
}

function undoHunk(lines: readonly string[], hunk: readonly DiffLine[]): string[] | undefined {
  const added = sideOf(hunk, 'added');
  const first = hunk.find(({ newNumber }) => newNumber !== undefined)?.newNumber ?? 1;
  const place = isAt(lines, added, first - 1) ? first - 1 : onlyPlaceOf(lines, added);
  return place === undefined ? undefined : lines.toSpliced(place, added.length, ...sideOf(hunk, 'removed'));
}

/** The lines of a hunk before (`removed`) or after (`added`) it. */
function sideOf(hunk: readonly DiffLine[], side: 'added' | 'removed'): string[] {
  return hunk.flatMap(({ kind, text }) => (kind === 'same' || kind === side ? [text] : []));
}

function isAt(lines: readonly string[], part: readonly string[], place: number): boolean {
  return place >= 0 && part.every((line, index) => lines[place + index] === line);
}

/** Where the lines stand, if they stand there only. */
function onlyPlaceOf(lines: readonly string[], part: readonly string[]): number | undefined {
  if (part.length === 0) return undefined;
  const places = lines.flatMap((line, index) => (line === part[0] && isAt(lines, part, index) ? [index] : []));
  return places.length === 1 ? places[0] : undefined;
}

function joinLines(lines: readonly string[], lineEnd: string, endsWithBreak: boolean): string {
  if (lines.length === 0) return '';
  return lines.join(lineEnd) + (endsWithBreak ? lineEnd : '');
}
