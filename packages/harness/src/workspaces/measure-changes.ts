import type { ChangedFile, WorkspaceChanges } from '../formats/attempt.ts';
import { type GitOptions, git } from './git.ts';

/** Longest patch that is kept with a result. */
const MAX_SHORT_CHARACTERS = 1024 * 1024;

/** What differs between a commit or tree and the folder as it is now; what git is told to ignore is left out. */
export async function measureChanges(
  place: GitOptions,
  base: string,
  patches: 'short' | 'whole' = 'short',
): Promise<WorkspaceChanges> {
  await git(place, 'add', '--all', '.');
  const numbers = await git(place, 'diff', '--cached', '--no-renames', '--numstat', '-z', base);
  const files = numbers
    .split('\0')
    .filter(Boolean)
    .map((line): ChangedFile => {
      const [insertions = '-', deletions = '-', path = ''] = line.split('\t');
      if (insertions === '-') return { path };
      return { path, insertions: Number(insertions), deletions: Number(deletions) };
    });
  const sum = (count: (file: ChangedFile) => number | undefined): number =>
    files.reduce((total, file) => total + (count(file) ?? 0), 0);
  const patch = files.length === 0 ? '' : await readPatch(place, base, patches);
  return {
    files,
    insertions: sum((file) => file.insertions),
    deletions: sum((file) => file.deletions),
    ...(patch !== '' && (patches === 'whole' || patch.length <= MAX_SHORT_CHARACTERS) && { patch: `${patch}\n` }),
  };
}

async function readPatch(place: GitOptions, base: string, patches: 'short' | 'whole'): Promise<string> {
  const diff = ['diff', '--cached', '--no-renames', '--no-ext-diff', '--no-color'];
  if (patches === 'short') return git(place, ...diff, base);
  // What is longer than git may write is counted, but not kept.
  return git(place, ...diff, '--binary', base).catch(() => '');
}
