import type { ChangedFile } from '../../api/index.ts';

/** A changed file, and how many sections it has in a patch. */
export interface RawFile extends ChangedFile {
  readonly sections: number;
}

const STATUSES: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'added',
};

/** Reads `git diff --raw -z`, in which file names stand as they are, whatever they hold. */
export function readRaw(text: string): readonly RawFile[] {
  const parts = text.split('\0');
  const files: RawFile[] = [];
  for (let at = 0; at < parts.length - 1; ) {
    const letter = /^:\d+ \d+ \S+ \S+ ([A-Z])/.exec(parts[at] ?? '')?.[1] ?? 'M';
    const isMoved = letter === 'R' || letter === 'C';
    const first = parts[at + 1] ?? '';
    const path = isMoved ? (parts[at + 2] ?? '') : first;
    const status = STATUSES[letter] ?? 'modified';
    // A file that became a link is taken away and added.
    files.push({ path, ...(letter === 'R' && { oldPath: first }), status, sections: letter === 'T' ? 2 : 1 });
    at += isMoved ? 3 : 2;
  }
  return files;
}

/** The sections of a patch, in the order of the files. No line of a file's content begins like the head of a section. */
export function splitPatch(text: string, isCut: boolean): string[] {
  const sections = text.split(/^(?=diff --git )/m).filter((section) => section.startsWith('diff --git '));
  // The last may have only its beginning.
  if (isCut) sections.pop();
  return sections;
}
