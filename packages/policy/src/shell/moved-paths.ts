import { isInside, resolvePath } from '../workspace/paths.ts';
import type { CommandPart, Directories, Part } from './analysis.ts';
import { programName } from './program-name.ts';
import { type ShellWord, unknownWord } from './words/shell-word.ts';

/** Absolute paths that a command moves, links, unpacks or checks out. */
type Moved = readonly string[] | 'everything';

/**
 * The disk is looked at before the line runs. A path below something that another command of the line moves about is therefore unknown, in
 * whatever order they stand: loops and the background change it.
 */
export function forgetMovedPaths(parts: readonly Part[], start: Directories): readonly Part[] {
  const moved = parts.map(movedBy);
  if (moved.every((each) => each.length === 0)) return parts;
  return parts.flatMap((part, index) => forgetIn(part, unite(moved.filter((_, other) => other !== index)), start));
}

/** A path that is forgotten still counts as it is written: rules and protected names may be about it. */
function forgetIn(part: Part, moved: Moved, start: Directories): readonly Part[] {
  if (part.type === 'opaque' || moved.length === 0) return [part];
  if (part.type === 'file') return withForgotten(part.word, part.directories, moved).map((word) => ({ ...part, word }));
  const directories = isMovedFolder(part.directories, moved, start) ? undefined : part.directories;
  // Git does not follow links in the paths it is given, unless it compares files that are none of its own.
  const isGit = part.usesRepository && !part.words.some((word) => word.value === '--no-index');
  const files = isGit
    ? part.files
    : part.files.flatMap((use) => withForgotten(use.word, part.directories, moved).map((word) => ({ ...use, word })));
  const inner = part.inner && {
    ...part.inner,
    parts: part.inner.parts.flatMap((nested) => forgetIn(nested, moved, start)),
  };
  return [{ ...part, directories, files, inner }];
}

function withForgotten(word: ShellWord, directories: Directories, moved: Moved): readonly ShellWord[] {
  const forgotten = forget(word, directories, moved);
  return forgotten === word ? [word] : [word, forgotten];
}

function forget(word: ShellWord, directories: Directories, moved: Moved): ShellWord {
  if (moved === 'everything' || directories === undefined) return unknownWord(word.text);
  if (word.value === undefined || word.below !== undefined) {
    // What a pattern meets may be the very thing that is moved.
    return unknownWord(word.text);
  }
  const isMoved = directories.some((directory) => isBelow(resolvePath(directory, word.value ?? ''), moved));
  return isMoved ? unknownWord(word.text) : word;
}

/** The folder that the line starts in is there already; after a checkout any other may be a new one. */
function isMovedFolder(directories: Directories, moved: Moved, start: Directories): boolean {
  if (moved === 'everything') return directories?.some((directory) => start?.includes(directory) !== true) ?? false;
  return directories?.some((directory) => isBelow(directory, moved)) ?? false;
}

function isBelow(path: string, moved: readonly string[]): boolean {
  return moved.some((each) => isInside(each, path));
}

function unite(all: readonly Moved[]): Moved {
  return all.includes('everything') ? 'everything' : [...new Set(all.flat())];
}

function movedBy(part: Part): Moved {
  if (part.type !== 'command') return [];
  return unite([movedByProgram(part), ...(part.inner?.parts.map(movedBy) ?? [])]);
}

function movedByProgram({ words, plainWords, files, directories }: CommandPart): Moved {
  const [name = '', ...values] = words.map((word) => word.value ?? '');
  const program = programName(name);
  if (program === 'git') return keepsFiles(plainWords ?? words) ? [] : 'everything';
  if (program === 'tar') return UNPACKS.test(values[0] ?? 'x') ? 'everything' : [];
  if (MOVES_ANYTHING.has(program)) return 'everything';
  const copiesLinks = program === 'cp' && values.some((value) => COPIES_LINKS.test(value));
  if (program !== 'mv' && program !== 'ln' && !copiesLinks) return [];
  const targets = files.filter(({ access }) => access !== 'read').map(({ word }) => word.value);
  if (directories === undefined || targets.length === 0 || targets.includes(undefined)) return 'everything';
  return targets.flatMap((target) => directories.map((directory) => resolvePath(directory, target ?? '')));
}

/** Does this call of git bring no files into the folder? */
function keepsFiles([, subcommand, next]: readonly ShellWord[]): boolean {
  const name = subcommand?.value ?? '';
  return KEEPS_FILES.has(name) || KEEPS_FILES.has(`${name} ${next?.value}`);
}

const KEEPS_FILES = new Set([
  ...['stash list', 'stash show', 'worktree list', 'submodule status'],
  ...(
    'add annotate blame branch bundle cat-file check-attr check-ignore check-mailmap cherry clean column commit commit-tree config ' +
    'count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep hash-object help log ls-files ' +
    'ls-remote ls-tree merge-base name-rev notes pack-refs prune push range-diff reflog remote repack rev-list rev-parse rm shortlog show ' +
    'show-branch show-ref status stripspace symbolic-ref tag update-index update-ref var verify-commit verify-tag version whatchanged --version'
  ).split(' '),
]);
const MOVES_ANYTHING = new Set(
  'unzip rsync cpio pax ar jar bsdtar 7z unrar unar patch install gh hg svn jj'.split(' '),
);
const UNPACKS = /^-{0,2}[a-zA-Z]*x|^--(?:extract|get)/;
const COPIES_LINKS = /^-[a-zA-Z]*[adPrR]|^--(?:archive|no-dereference|recursive|preserve)/;
