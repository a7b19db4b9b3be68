import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFile, ChangesReply } from '../../api/index.ts';
import { readRaw, splitPatch } from './read-diff.ts';
import { type GitOptions, runGit } from './run-git.ts';

const MAX_FILES = 300;
const MAX_PATCH_CHARS = 200_000;
const MAX_CHARS = 2_000_000;
const MAX_UNTRACKED_BYTES = 100_000;

/** What has changed in a folder since the last commit, by git. Looks only. */
export async function readChanges(cwd: string, signal: AbortSignal): Promise<ChangesReply> {
  const options: GitOptions = { cwd, signal, maxBytes: 4 * MAX_CHARS };
  const inside = await runGit(['rev-parse', '--is-inside-work-tree'], options);
  if (inside?.text.trim() !== 'true') return { isRepository: false, files: [], isCapped: false };
  const [branch, base] = await Promise.all([
    runGit(['symbolic-ref', '--short', '-q', 'HEAD'], options),
    runGit(['rev-parse', '--verify', '-q', 'HEAD'], options),
  ]);
  const from = base?.text.trim() ?? (await emptyTree(options));
  const diff = [
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--ignore-submodules=all',
    '--find-renames',
    '--relative',
    '--src-prefix=a/',
    '--dst-prefix=b/',
  ];
  const [raw, patch, untracked] = await Promise.all([
    runGit([...diff, '--raw', '-z', from, '--', '.'], options),
    runGit([...diff, '--patch', from, '--', '.'], options),
    runGit(['ls-files', '--others', '--exclude-standard', '-z', '--', '.'], options),
  ]);
  const patches = splitPatch(patch?.text ?? '', patch?.isCut ?? false);
  const tracked = readRaw(raw?.text ?? '').map(({ sections, ...file }) => withPatch(file, patches.splice(0, sections)));
  const others = (untracked?.text ?? '').split('\0').filter((path) => path !== '');
  const room = Math.max(0, MAX_FILES - tracked.length);
  const added = await Promise.all(others.slice(0, room).map((path) => readUntracked(cwd, path)));
  const { files, isCapped } = cap([...tracked, ...added]);
  const isCut = [raw, patch, untracked].some((answer) => answer === undefined || answer.isCut) || others.length > room;
  const name = branch?.text.trim();
  return { isRepository: true, ...(name && { branch: name }), files, isCapped: isCapped || isCut };
}

/** What a repository without a commit is compared with. */
async function emptyTree(options: GitOptions): Promise<string> {
  const answer = await runGit(['hash-object', '-t', 'tree', '/dev/null'], options);
  return answer?.text.trim() ?? '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
}

function withPatch(file: ChangedFile, sections: readonly string[]): ChangedFile {
  const patch = sections.join('');
  if (patch === '') return file;
  if (/^(Binary files .* differ|GIT binary patch)$/m.test(patch) && !/^@@ /m.test(patch))
    return { ...file, isBinary: true };
  return { ...file, patch, ...countLines(patch) };
}

function countLines(patch: string): { readonly added: number; readonly removed: number } {
  const hunks = patch.slice(Math.max(0, patch.search(/^@@ /m))).split('\n');
  return {
    added: hunks.filter((line) => line.startsWith('+')).length,
    removed: hunks.filter((line) => line.startsWith('-')).length,
  };
}

/** A file that git does not know yet, as one that is added. A link is not followed. */
async function readUntracked(cwd: string, path: string): Promise<ChangedFile> {
  const file: ChangedFile = { path, status: 'untracked' };
  try {
    const full = join(cwd, path);
    const found = await lstat(full);
    if (!found.isFile() || found.size > MAX_UNTRACKED_BYTES) return file;
    const bytes = await readFile(full);
    if (bytes.includes(0)) return { ...file, isBinary: true };
    const text = bytes.toString('utf8');
    const hasEnd = text.endsWith('\n');
    const lines = text === '' ? [] : (hasEnd ? text.slice(0, -1) : text).split('\n');
    const body = lines.map((line) => `+${line}\n`).join('');
    const patch = `--- /dev/null\n+++ b/file\n@@ -0,0 +1,${lines.length} @@\n${body}${hasEnd || text === '' ? '' : '\\ No newline at end of file\n'}`;
    return { ...file, ...(lines.length > 0 && { patch }), added: lines.length, removed: 0 };
  } catch {
    // It may have gone meanwhile, or be somebody else's.
    return file;
  }
}

function cap(files: readonly ChangedFile[]): { readonly files: readonly ChangedFile[]; readonly isCapped: boolean } {
  let chars = 0;
  let isCapped = files.length > MAX_FILES;
  const kept = files.slice(0, MAX_FILES).map((file) => {
    const { patch, ...rest } = file;
    chars += patch?.length ?? 0;
    if (patch === undefined || (patch.length <= MAX_PATCH_CHARS && chars <= MAX_CHARS)) return file;
    isCapped = true;
    return rest;
  });
  return { files: kept, isCapped };
}
