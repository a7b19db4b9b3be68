import { lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeText } from './decode-text.ts';
import { FileError } from './errors.ts';
import { asFileError, codeOf } from './file-errors.ts';
import { createPinnedRoots, locate, type PinnedRoots, type Place } from './locate.ts';
import { type OpenDirectory, openDirectory } from './open-directory.ts';
import { notAFile, readWithin } from './read-within.ts';
import { writeWithin } from './write-within.ts';

/** Files inside some directories, reached so that neither `..` nor a symlink nor a race leads outside. */
export interface GuardedFiles {
  /** Throws `FileError`, like everything here: `file_not_found` when there is no such file. */
  readText(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array>;
  /** Throws when a path leads outside; nothing is read. */
  requireInside(path: string): Promise<void>;
  /** Creates or replaces a file in one step, with the directories above it. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file, a symlink or an empty directory. */
  remove(path: string): Promise<void>;
  /** Moves within the directories; what is in the way is not replaced. */
  move(from: string, to: string): Promise<void>;
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /** Undefined when there is nothing at the path. Links are not followed. */
  stat(path: string): Promise<DirectoryEntry | undefined>;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'link' | 'other';
  readonly bytes: number;
}

export interface GuardedFilesOptions {
  readonly roots: readonly string[];
  /** Which directories the roots were at first, where that is to hold longer than these files. Default: a new one. */
  readonly pinned?: PinnedRoots;
  /** Largest file that is read. Default: 16 MiB. */
  readonly maxFileBytes?: number;
}

export const DEFAULT_MAX_FILE_BYTES: number = 16 * 1024 * 1024;

/**
 * Files of this machine, within the roots and nowhere else: not by `..`, not by a symlink, not by a directory that is
 * swapped for a symlink while we look.
 */
export function createGuardedFiles(options: GuardedFilesOptions): GuardedFiles {
  const { roots, pinned = createPinnedRoots(), maxFileBytes = DEFAULT_MAX_FILE_BYTES } = options;
  const find = (path: string): Promise<Place> => locate(path, roots, pinned);
  /** A directory itself, roots included: the place of something in it is opened up to the last name. */
  const findDirectory = (path: string): Promise<Place> => locate(join(path, '_'), roots, pinned);

  return {
    readText: async (path) => decodeText(await readWithin(await find(path), maxFileBytes), path),
    readBytes: async (path) => readWithin(await find(path), maxFileBytes),
    requireInside: async (path) => void (await find(path)),
    write: async (path, bytes) => writeWithin(await find(path), bytes),

    remove: async (path) =>
      within(await find(path), async (directory, name) => {
        const target = directory.pathOf(name);
        const found = await lstat(target);
        await directory.verify();
        await (found.isDirectory() ? rmdir(target) : unlink(target));
      }),

    async move(from, to) {
      const [source, target] = [await find(from), await find(to)];
      await using sourceDirectory = await openDirectory(source, { isCreating: false });
      await using targetDirectory = await openDirectory(target, { isCreating: true });
      try {
        const [old, next] = [lastName(source), lastName(target)];
        if (await exists(targetDirectory.pathOf(next))) {
          throw new FileError('file_failed', to, `${to} exists already; nothing was moved.`);
        }
        await sourceDirectory.verify();
        await targetDirectory.verify();
        await rename(sourceDirectory.pathOf(old), targetDirectory.pathOf(next));
      } catch (error) {
        throw asFileError(error, from);
      }
    },

    list: async (path) =>
      within(await findDirectory(path), async (directory) => {
        const entries = await readdir(directory.pathOf('.'), { withFileTypes: true });
        return Promise.all(entries.map(async ({ name }) => toEntry(name, directory.pathOf(name))));
      }),

    async stat(path) {
      try {
        const place = await find(path);
        return await within(place, (directory, name) => toEntry(name, directory.pathOf(name)));
      } catch (error) {
        if (error instanceof FileError && error.code === 'file_not_found') return undefined;
        if (await isRoot(path, findDirectory)) return { name: '.', type: 'directory', bytes: 0 };
        throw error;
      }
    },
  };
}

async function within<Result>(
  place: Place,
  use: (directory: OpenDirectory, name: string) => Promise<Result>,
): Promise<Result> {
  await using directory = await openDirectory(place, { isCreating: false });
  try {
    await directory.verify();
    return await use(directory, lastName(place));
  } catch (error) {
    throw asFileError(error, place.path);
  }
}

function lastName({ path, names }: Place): string {
  const name = names.at(-1);
  if (name === undefined) throw notAFile(path, true);
  return name;
}

async function toEntry(name: string, path: string): Promise<DirectoryEntry> {
  const found = await lstat(path);
  const type = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : found.isSymbolicLink() ? 'link' : 'other';
  return { name, type, bytes: found.size };
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

/** A root has no place of its own inside the roots, but what is in it has. */
async function isRoot(path: string, findDirectory: (path: string) => Promise<Place>): Promise<boolean> {
  return findDirectory(path).then(
    ({ names }) => names.length === 1,
    () => false,
  );
}
