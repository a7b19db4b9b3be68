/** Where a diff that shows a part of a file says with which line of it the part begins. */
const FIRST_LINE = 'parley/firstLine';

/** Lines around the changes. */
const CONTEXT = 10;

/** A change of one file by its texts; no old text is a file that did not exist. */
export interface TextChange {
  readonly path: string;
  readonly oldText?: string | null;
  readonly newText: string;
}

/** A change of a file, or of a part of it. */
export interface ShownChange extends TextChange {
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

/** The part of a file that a change is about: from its first changed line to its last, with some lines around them. */
export function changedRegion({ path, oldText, newText }: TextChange): ShownChange {
  if (oldText == null) return { path, newText, ...(oldText === null && { oldText }) };
  const [before, after] = [linesOf(oldText), linesOf(newText)];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const first = Math.max(0, start - CONTEXT);
  const last = Math.max(0, end - CONTEXT);
  if (first === 0 && last === 0) return { path, oldText, newText };
  return {
    path,
    oldText: before.slice(first, before.length - last).join(''),
    newText: after.slice(first, after.length - last).join(''),
    _meta: { [FIRST_LINE]: first + 1 },
  };
}

/** The number of the first line that a diff shows. */
export function firstLineOf({ _meta }: Pick<ShownChange, '_meta'>): number {
  const line = _meta?.[FIRST_LINE];
  return typeof line === 'number' && Number.isInteger(line) && line > 0 ? line : 1;
}

/** With their line breaks. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
