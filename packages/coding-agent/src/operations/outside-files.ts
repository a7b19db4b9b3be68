import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { createGuardedFiles, realPath } from '@parley/host/files';
import { localFiles } from './local-files.ts';
import type { FileOperations } from './operations.ts';

/**
 * Files of the workspace as they are reached anyway, and those elsewhere on this machine, never through the client. Whoever
 * uses it has asked about the path: outside of the workspace nothing is allowed by itself. A link in the workspace that leads
 * out of it is refused as before, and so is one elsewhere that leads out of its folder: it was not what was asked about.
 */
export function withOutsideFiles(inside: FileOperations, roots: readonly string[]): FileOperations {
  const isInside = (path: string): boolean =>
    roots.some((root) => isBelow(root, path) || isBelow(realPath(root), path));
  const filesFor = (path: string, folder = dirname(path)): FileOperations =>
    isInside(path) ? inside : localFiles(createGuardedFiles({ roots: [existingAbove(folder)] }));
  return {
    read: (path, options) => filesFor(path).read(path, options),
    readLines: (path, range, options) => filesFor(path).readLines?.(path, range, options),
    readBytes: (path, options) => filesFor(path).readBytes(path, options),
    write: (path, content, options) => filesFor(path).write(path, content, options),
    remove: (path) => filesFor(path).remove(path),
    list: (path) => filesFor(path, path).list(path),
    stat: (path) => filesFor(path).stat(path),
    move: (from, to) => {
      if (isInside(from) && isInside(to)) return inside.move(from, to);
      const folders = [from, to].map((path) => existingAbove(dirname(path)));
      return localFiles(createGuardedFiles({ roots: [...roots, ...folders] })).move(from, to);
    },
  };
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The nearest folder that is there: one that is to be made has none of its own yet. */
function existingAbove(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingAbove(dirname(folder));
}
