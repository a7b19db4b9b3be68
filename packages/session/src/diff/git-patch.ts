import { firstLineOf, type ShownChange } from './changed-region.ts';
import { type DiffLine, diffLines } from './line-diff.ts';

/** Lines around each change that stay as they are. */
const CONTEXT = 3;

/**
 * The change as `git diff` writes it, so that `git apply` takes it; undefined when the texts are the same. The path is named from the
 * root: `/home/me/a.ts` is `a/home/me/a.ts`.
 */
export function gitPatch(change: ShownChange): string | undefined {
  const { path, oldText, newText } = change;
  const isNew = oldText == null;
  if (oldText === newText) return undefined;
  const relative = (isOfWindows(path) ? path.replaceAll('\\', '/') : path).replace(/^\/+/, '');
  const before = `a/${relative}`;
  const after = `b/${relative}`;
  const header = `diff --git ${quote(before)} ${quote(after)}\n${isNew ? 'new file mode 100644\n' : ''}`;
  const hunks = hunksOf(diffLines(exactLines(oldText ?? ''), exactLines(newText), firstLineOf(change)));
  if (hunks.length === 0) return header;
  const names = `--- ${isNew ? '/dev/null' : named(before)}\n+++ ${named(after)}\n`;
  return [header, names, ...hunks.map(writeHunk)].join('');
}

function isOfWindows(path: string): boolean {
  return /^([a-z]:[\\/]|\\\\)/i.test(path);
}

/** Lines with their breaks: a last line without one is another line than the same words with one. */
function exactLines(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** What is changed, with its surroundings; changes that are near each other are one hunk. */
function hunksOf(diff: readonly DiffLine[]): DiffLine[][] {
  const hunks: DiffLine[][] = [];
  let end = -1;
  for (let index = 0; index < diff.length; index += 1) {
    if (diff[index]?.kind === 'same') continue;
    const isNear = hunks.length > 0 && index - CONTEXT <= end;
    const first = isNear ? end : Math.max(0, index - CONTEXT);
    let last = index;
    while (last < diff.length && diff[last]?.kind !== 'same') last += 1;
    const next = Math.min(diff.length, last + CONTEXT);
    const lines = diff.slice(first, next);
    if (isNear) hunks[hunks.length - 1] = [...(hunks.at(-1) ?? []), ...lines];
    else hunks.push(lines);
    end = next;
    index = last - 1;
  }
  return hunks;
}

/** A side without lines stands after line 0: with context on both sides, only an empty text has none. */
function writeHunk(lines: readonly DiffLine[]): string {
  const old = { first: 0, count: 0 };
  const fresh = { first: 0, count: 0 };
  // Joined at once: a string that was added to piece by piece is put together when it is sent, at a higher price.
  const pieces = [''];
  for (const line of lines) {
    count(old, line.oldNumber);
    count(fresh, line.newNumber);
    pieces.push(SIGNS[line.kind], line.text);
    if (!line.text.endsWith('\n')) pieces.push('\n\\ No newline at end of file\n');
  }
  pieces[0] = `@@ -${old.first},${old.count} +${fresh.first},${fresh.count} @@\n`;
  return pieces.join('');
}

function count(range: { first: number; count: number }, number: number | undefined): void {
  if (number === undefined) return;
  if (range.count === 0) range.first = number;
  range.count += 1;
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const satisfies Record<DiffLine['kind'], string>;

/** As git does it, a name with white space ends with a tab, so that its end is plain. */
function named(name: string): string {
  const quoted = quote(name);
  return quoted === name && name.includes(' ') ? `${name}\t` : quoted;
}

/** Names with quotes, backslashes or control characters are written as C writes strings. */
function quote(name: string): string {
  return needsQuotes(name) ? `"${Array.from(name, quoteCharacter).join('')}"` : name;
}

function needsQuotes(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    if (code < 0x20 || code === 0x7f || code === 0x22 || code === 0x5c) return true;
  }
  return false;
}

function quoteCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const code = character.charCodeAt(0);
  return code < 0x20 || code === 0x7f ? `\\${code.toString(8).padStart(3, '0')}` : character;
}
