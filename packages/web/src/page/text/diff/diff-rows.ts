import { type DiffLine, diffLines } from '@parley/session/diff';

/** A line of a diff as it is drawn, its changed words apart. */
export interface DiffCell {
  readonly kind: DiffLine['kind'];
  readonly number: number | undefined;
  readonly words: readonly DiffWord[];
}

export interface DiffWord {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Lines that stay the same and are not shown. */
export interface DiffGap {
  readonly kind: 'gap';
  readonly lines: number;
}

export type UnifiedRow = (DiffCell & { readonly oldNumber?: number; readonly newNumber?: number }) | DiffGap;

/** Old on the left, new on the right; either may have nothing beside the other. */
export type SplitRow = { readonly kind: 'pair'; readonly left?: DiffCell; readonly right?: DiffCell } | DiffGap;

/** Unchanged lines that are shown around each change. */
const CONTEXT = 3;
/** Lines that are too long, or too many in one change, are compared as wholes. */
const MAX_WORD_LINE = 500;
const MAX_PAIRED_LINES = 200;

/** The rows of a diff, one line below the other: removed lines before added ones. */
export function unifiedRows(hunks: readonly (readonly DiffLine[])[]): UnifiedRow[] {
  return joinHunks(hunks, (part) => {
    if (part.kind === 'gap') return [part];
    if (part.kind === 'same') return part.lines.map((line) => ({ ...plainCell(line), ...numbersOf(line) }));
    const { removed, added } = compareWords(part);
    const cells = [
      ...removed.map((cell, index) => ({ cell, line: part.removed[index] })),
      ...added.map((cell, index) => ({ cell, line: part.added[index] })),
    ];
    return cells.map(({ cell, line }) => ({ ...cell, ...(line && numbersOf(line)) }));
  });
}

/** The rows of a diff, side by side. */
export function splitRows(hunks: readonly (readonly DiffLine[])[]): SplitRow[] {
  return joinHunks<SplitRow>(hunks, (part) => {
    if (part.kind === 'gap') return [part];
    if (part.kind === 'same')
      return part.lines.map((line) => ({
        kind: 'pair',
        left: { ...plainCell(line), number: line.oldNumber },
        right: { ...plainCell(line), number: line.newNumber },
      }));
    const { removed, added } = compareWords(part);
    return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => {
      const [left, right] = [removed[index], added[index]];
      return { kind: 'pair', ...(left && { left }), ...(right && { right }) };
    });
  });
}

export function countChanges(hunks: readonly (readonly DiffLine[])[]): {
  readonly added: number;
  readonly removed: number;
} {
  let added = 0;
  let removed = 0;
  for (const { kind } of hunks.flat()) {
    if (kind === 'added') added += 1;
    if (kind === 'removed') removed += 1;
  }
  return { added, removed };
}

type Part = DiffGap | { readonly kind: 'same'; readonly lines: readonly DiffLine[] } | Change;

interface Change {
  readonly kind: 'change';
  readonly removed: readonly DiffLine[];
  readonly added: readonly DiffLine[];
}

function joinHunks<Row>(
  hunks: readonly (readonly DiffLine[])[],
  rowsOf: (part: Part | DiffGap) => readonly (Row | DiffGap)[],
): (Row | DiffGap)[] {
  return hunks.flatMap((hunk, index) => {
    const rows = partsOf(hunk).flatMap(rowsOf);
    // Between the hunks of a patch there are lines that nobody told.
    return index === 0 ? rows : [{ kind: 'gap', lines: 0 } as const, ...rows];
  });
}

/** A hunk as changes and what stands between them, of which only some lines are kept. */
function partsOf(lines: readonly DiffLine[]): Part[] {
  const parts: Part[] = [];
  for (let start = 0; start < lines.length; ) {
    const isSame = lines[start]?.kind === 'same';
    let end = start;
    while (end < lines.length && (lines[end]?.kind === 'same') === isSame) end += 1;
    const run = lines.slice(start, end);
    if (isSame) parts.push(...withContext(run, start === 0, end === lines.length));
    else {
      parts.push({
        kind: 'change',
        removed: run.filter(({ kind }) => kind === 'removed'),
        added: run.filter(({ kind }) => kind === 'added'),
      });
    }
    start = end;
  }
  return parts;
}

function withContext(lines: readonly DiffLine[], isFirst: boolean, isLast: boolean): Part[] {
  const before = isFirst ? 0 : CONTEXT;
  const after = isLast ? 0 : CONTEXT;
  const hidden = lines.length - before - after;
  // One line is shown rather than a row that says that one line is not.
  if (hidden <= 1) return [{ kind: 'same', lines }];
  const same = (part: readonly DiffLine[]): Part[] => (part.length === 0 ? [] : [{ kind: 'same', lines: part }]);
  return [...same(lines.slice(0, before)), { kind: 'gap', lines: hidden }, ...same(lines.slice(lines.length - after))];
}

function plainCell({ kind, text, oldNumber, newNumber }: DiffLine): DiffCell {
  return { kind, number: kind === 'removed' ? oldNumber : newNumber, words: [{ text, isChanged: false }] };
}

function numbersOf({ oldNumber, newNumber }: DiffLine): { oldNumber?: number; newNumber?: number } {
  return { ...(oldNumber !== undefined && { oldNumber }), ...(newNumber !== undefined && { newNumber }) };
}

/** Lines that stand beside each other are compared word by word. */
function compareWords({ removed, added }: Change): { readonly removed: DiffCell[]; readonly added: DiffCell[] } {
  const cells = { removed: removed.map(plainCell), added: added.map(plainCell) };
  const pairs = Math.min(removed.length, added.length);
  if (pairs > MAX_PAIRED_LINES) return cells;
  for (let index = 0; index < pairs; index += 1) {
    const [left, right] = [cells.removed[index], cells.added[index]];
    const [before, after] = [removed[index]?.text ?? '', added[index]?.text ?? ''];
    if (!left || !right || before.length > MAX_WORD_LINE || after.length > MAX_WORD_LINE) continue;
    const diff = diffLines(splitWords(before), splitWords(after));
    const kept = diff.filter(({ kind, text }) => kind === 'same' && text.trim() !== '');
    // Two lines with nothing in common are simply two lines.
    if (kept.length === 0) continue;
    cells.removed[index] = { ...left, words: wordsOf(diff, 'added') };
    cells.added[index] = { ...right, words: wordsOf(diff, 'removed') };
  }
  return cells;
}

function splitWords(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function wordsOf(diff: readonly DiffLine[], without: DiffLine['kind']): DiffWord[] {
  const words: { text: string; isChanged: boolean }[] = [];
  for (const { kind, text } of diff) {
    if (kind === without) continue;
    const isChanged = kind !== 'same';
    const last = words.at(-1);
    if (last && last.isChanged === isChanged) last.text += text;
    else words.push({ text, isChanged });
  }
  return words;
}
