import type { ChangedFile, WorkspaceChanges } from '../formats/attempt.ts';
import { type GitOptions, git } from './git.ts';

/** Longest patch that is kept with a result. */
const MAX_PATCH_CHARACTERS = 1024 * 1024;

/** What differs between a commit or tree and the folder as it is now; what git is told to ignore is left out. */
export async function measureChanges(place: GitOptions, base: string): Promise<WorkspaceChanges> {
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
  const patch =
    files.length === 0 ? '' : await git(place, 'diff', '--cached', '--no-renames', '--no-ext-diff', '--no-color', base);
  return {
    files,
    insertions: sum((file) => file.insertions),
    deletions: sum((file) => file.deletions),
    ...(patch !== '' && patch.length <= MAX_PATCH_CHARACTERS && { patch: `${patch}\n` }),
  };
}
