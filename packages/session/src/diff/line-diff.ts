/** One line of a comparison: kept, added or removed, with its number in the text where it stands. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  readonly oldNumber?: number;
  readonly newNumber?: number;
}

/** Two texts with more differences than this are told as one removed and one added whole. */
const MAX_EDITS = 1000;

/** The same for those whose differences take more comparisons than this to find: what is left costs no more than its length. */
const MAX_STEPS = 4_000_000;

/** What makes the new lines of the old ones, with as few changes as possible (Myers 1986). They may be a part of a file. */
export function diffLines(before: readonly string[], after: readonly string[], firstLine: number = 1): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  const edits = findEdits(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return number(firstLine, before.slice(0, start).map(same), edits, before.slice(before.length - end).map(same));
}

/** The lines of a text as they are shown; a line break at its end begins no further line. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n').map((line) => line.replace(/\r$/, ''));
}

interface Edit {
  readonly kind: DiffLine['kind'];
  readonly text: string;
}

function same(text: string): Edit {
  return { kind: 'same', text };
}

/** Follows the furthest reaching paths; `reach[k]` is how far down diagonal k the old text has been read. */
function findEdits(before: readonly string[], after: readonly string[]): Edit[] {
  if (!haveLineInCommon(before, after)) return replaced(before, after);
  const most = Math.min(before.length + after.length, MAX_EDITS);
  const history: Int32Array[] = [];
  let reach = new Int32Array([0]);
  let steps = 0;
  for (let edits = 0; edits <= most; edits += 1) {
    const next = new Int32Array(2 * edits + 1);
    for (let k = -edits; k <= edits; k += 2) {
      let x = edits === 0 ? 0 : isDown(reach, edits, k) ? at(reach, edits, k + 1) : at(reach, edits, k - 1) + 1;
      const first = x;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1;
      steps += x - first + 1;
      next[k + edits] = x;
      if (x >= before.length && x - k >= after.length) return trace([...history, reach], before, after);
    }
    if (steps > MAX_STEPS) break;
    if (edits > 0) history.push(reach);
    reach = next;
  }
  return replaced(before, after);
}

/** Most edits replace lines by others; then there is nothing to search for. */
function haveLineInCommon(before: readonly string[], after: readonly string[]): boolean {
  const lines = new Set(before);
  return after.some((line) => lines.has(line));
}

function replaced(before: readonly string[], after: readonly string[]): Edit[] {
  return [
    ...before.map((text): Edit => ({ kind: 'removed', text })),
    ...after.map((text): Edit => ({ kind: 'added', text })),
  ];
}

/** How far diagonal k was reached one edit earlier, when there were `edits - 1`. */
function at(reach: Int32Array, edits: number, k: number): number {
  return reach[k + edits - 1] ?? -1;
}

/** Whether the last of so many edits on diagonal k was an addition. */
function isDown(reach: Int32Array, edits: number, k: number): boolean {
  return k === -edits || (k !== edits && at(reach, edits, k - 1) < at(reach, edits, k + 1));
}

/** Walks back from the end, one edit at a time. `history[n]` is what was reached before edit n + 1. */
function trace(history: readonly Int32Array[], before: readonly string[], after: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  let x = before.length;
  let y = after.length;
  const keepDownTo = (firstX: number, firstY: number): void => {
    for (; x > firstX && y > firstY; x -= 1, y -= 1) edits.push(same(before[x - 1] ?? ''));
  };
  for (let count = history.length; count > 0 && (x > 0 || y > 0); count -= 1) {
    const reach = history[count - 1] ?? new Int32Array();
    const k = x - y;
    const down = isDown(reach, count, k);
    const previousX = at(reach, count, down ? k + 1 : k - 1);
    const previousY = previousX - (down ? k + 1 : k - 1);
    keepDownTo(down ? previousX : previousX + 1, down ? previousY + 1 : previousY);
    edits.push(down ? { kind: 'added', text: after[y - 1] ?? '' } : { kind: 'removed', text: before[x - 1] ?? '' });
    x = previousX;
    y = previousY;
  }
  keepDownTo(0, 0);
  return edits.reverse();
}

function number(firstLine: number, ...parts: readonly (readonly Edit[])[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let oldNumber = firstLine - 1;
  let newNumber = firstLine - 1;
  for (const part of parts) {
    for (const { kind, text } of part) {
      if (kind !== 'added') oldNumber += 1;
      if (kind !== 'removed') newNumber += 1;
      if (kind === 'added') lines.push({ kind, text, newNumber });
      else lines.push(kind === 'removed' ? { kind, text, oldNumber } : { kind, text, oldNumber, newNumber });
    }
  }
  return lines;
}
