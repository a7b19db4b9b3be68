import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { asFileError, codeOf } from './file-errors.ts';
import { forbidden, identify, namesBelow, type Place, replaced } from './locate.ts';

/** A directory inside the root, held open, through which its files are reached. */
export interface OpenDirectory extends AsyncDisposable {
  /** The path of a file in it that cannot be led astray: on Linux through the open directory itself. */
  pathOf(name: string): string;
  /** Throws when the directory is not inside the root any more. */
  verify(): Promise<void>;
}

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/**
 * Opens the directory of a file, name by name from the root, refusing symlinks at each step. On Linux each step goes
 * through the directory opened before it (`/proc/self/fd`), so a directory that is renamed or replaced meanwhile cannot
 * lead outside.
 */
export async function openDirectory(place: Place, options: { readonly isCreating: boolean }): Promise<OpenDirectory> {
  try {
    return (await hasProcFd()) ? await openByHandles(place, options) : await openByPaths(place, options);
  } catch (error) {
    throw asFileError(error, place.path);
  }
}

async function openByHandles(
  { path, root, names, rootId }: Place,
  { isCreating }: { readonly isCreating: boolean },
): Promise<OpenDirectory> {
  let handle = await open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (identify(await handle.stat({ bigint: true })) !== rootId) {
    await handle.close();
    throw replaced(root);
  }
  for (const name of names.slice(0, -1)) {
    const parent = handle;
    try {
      handle = await openChild(`${procPath(parent)}/${name}`, isCreating);
    } finally {
      await parent.close();
    }
  }
  return {
    pathOf: (name) => `${procPath(handle)}/${name}`,
    async verify() {
      const now = await readlink(procPath(handle));
      if (now !== root && !namesBelow(root, now)) throw forbidden(path);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function openChild(path: string, isCreating: boolean): Promise<FileHandle> {
  const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
  try {
    return await open(path, flags);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || !isCreating) throw error;
    await makeDirectory(path);
    return await open(path, flags);
  }
}

/**
 * Without `/proc/self/fd` a directory can only be named by its path. Resolving it again before and after each step
 * narrows the time in which it could be swapped, but cannot close it.
 */
async function openByPaths(
  { path, root, names }: Place,
  { isCreating }: { readonly isCreating: boolean },
): Promise<OpenDirectory> {
  let directory = root;
  for (const name of names.slice(0, -1)) {
    directory = join(directory, name);
    const found = await lstat(directory).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT' || !isCreating) throw error;
      return undefined;
    });
    if (!found) await makeDirectory(directory);
    else if (!found.isDirectory())
      throw Object.assign(new Error('not a directory'), { code: found.isSymbolicLink() ? 'ELOOP' : 'ENOTDIR' });
  }
  return {
    pathOf: (name) => join(directory, name),
    async verify() {
      if ((await realpath(directory)) !== directory) throw forbidden(path);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function makeDirectory(path: string): Promise<void> {
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

const procPath = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

let procFd: Promise<boolean> | undefined;

function hasProcFd(): Promise<boolean> {
  procFd ??= lstat('/proc/self/fd').then(
    (found) => found.isDirectory(),
    () => false,
  );
  return procFd;
}
