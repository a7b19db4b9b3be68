import type { DiffLine } from './line-diff.ts';

/** What a patch does to one file, hunk by hunk. */
export interface PatchedFile {
  /** As the patch names it, without the `a/` and `b/` that git puts before: the new name, or the old one of a file that is gone. */
  readonly path: string;
  readonly hunks: readonly (readonly DiffLine[])[];
}

/** The files of a patch as `git diff` writes it. What stands between them, and files without hunks, are passed over. */
export function readGitPatch(patch: string): PatchedFile[] {
  const lines = patch.split('\n');
  const files: { path: string; hunks: DiffLine[][] }[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    const hunk = HUNK.exec(line);
    if (line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ')) {
      files.push({ path: readName(line, lines[index + 1] ?? ''), hunks: [] });
      index += 2;
    } else if (hunk && files.length > 0) {
      const read = readHunk(lines, index + 1, hunk);
      files.at(-1)?.hunks.push(read.hunk);
      index = read.end;
    } else {
      index += 1;
    }
  }
  return files.filter(({ hunks }) => hunks.length > 0);
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** A hunk says how many lines it has, so that a line which looks like a header is none. */
function readHunk(lines: readonly string[], start: number, head: RegExpExecArray): { hunk: DiffLine[]; end: number } {
  const [, oldStart = '', oldCount = '1', newStart = '', newCount = '1'] = head;
  let [oldNumber, newNumber] = [Number(oldStart), Number(newStart)];
  let [oldLeft, newLeft] = [Number(oldCount), Number(newCount)];
  const hunk: DiffLine[] = [];
  let index = start;
  for (; (oldLeft > 0 || newLeft > 0) && index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const text = line.slice(1).replace(/\r$/, '');
    if (line.startsWith('\\')) continue;
    if (line.startsWith('+')) hunk.push({ kind: 'added', text, newNumber });
    else if (line.startsWith('-')) hunk.push({ kind: 'removed', text, oldNumber });
    else hunk.push({ kind: 'same', text, oldNumber, newNumber });
    if (!line.startsWith('+')) [oldNumber, oldLeft] = [oldNumber + 1, oldLeft - 1];
    if (!line.startsWith('-')) [newNumber, newLeft] = [newNumber + 1, newLeft - 1];
  }
  return { hunk, end: index };
}

function readName(before: string, after: string): string {
  const [oldName, newName] = [nameIn(before), nameIn(after)];
  return (newName === '/dev/null' ? oldName : newName).replace(/^[abciow]\//, '');
}

/** Behind `--- ` or `+++ `, up to the tab that ends a name with spaces; a quoted one is as C writes strings. */
function nameIn(line: string): string {
  const name = line.slice(4).replace(/\r$/, '');
  if (!name.startsWith('"')) return name.replace(/\t.*$/, '');
  const bytes = [...name.slice(1, name.lastIndexOf('"')).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)].flatMap(
    ([, octal, escaped, plain]) => {
      if (octal !== undefined) return [Number.parseInt(octal, 8)];
      return [...new TextEncoder().encode(escaped === undefined ? plain : (ESCAPES[escaped] ?? escaped))];
    },
  );
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
