/** The lines between what two texts have in common at their beginning and at their end. */
export interface ChangedLines {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Where the change begins, counted from 1. */
  readonly firstLine: number;
}

/** Finds the changed part of a text; enough for one edit, and never slow however large the text. */
export function changedLines(oldText: string, newText: string): ChangedLines {
  const before = splitLines(oldText);
  const after = splitLines(newText);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return {
    removed: before.slice(start, before.length - end),
    added: after.slice(start, after.length - end),
    firstLine: start + 1,
  };
}

function splitLines(text: string): readonly string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
