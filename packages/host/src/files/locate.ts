import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, normalize, parse, relative, sep } from 'node:path';
import { FileError } from './errors.ts';
import { asFileError, codeOf } from './file-errors.ts';

/** Where a path leads: a root without symlinks, and the names below it. */
export interface Place {
  /** As the agent wrote it, for messages. */
  readonly path: string;
  /** The root, resolved. */
  readonly root: string;
  /** From the root to the file; never empty, never `..`. */
  readonly names: readonly string[];
  /** Which directory the root is, whatever its name may lead to by now. */
  readonly rootId: string;
}

/** Which directory each root was when it was first used: one that is replaced later is not the workspace any more. */
export type PinnedRoots = Map<string, string>;

export function createPinnedRoots(): PinnedRoots {
  return new Map();
}

/** What tells one directory from every other on this machine. */
export function identify({ dev, ino }: { readonly dev: number | bigint; readonly ino: number | bigint }): string {
  return `${dev}:${ino}`;
}

/** System calls take no longer paths than this. */
const MAX_PATH_CHARACTERS = 4096;

/**
 * Finds the root that a path lies in, with symlinks resolved. This only says where to go: whoever goes there must not
 * follow a symlink again, since what was a directory now may be one by then.
 */
export async function locate(path: string, roots: readonly string[], pinned: PinnedRoots): Promise<Place> {
  if (!isAbsolute(path)) throw new FileError('path_invalid', path, `${path} is not an absolute path.`);
  if (path.includes('\0') || path.length > MAX_PATH_CHARACTERS) {
    throw new FileError('path_invalid', path.slice(0, 80), 'The path holds a NUL or is too long.');
  }
  const target = await resolveExisting(normalize(path), path);
  for (const root of roots) {
    const resolvedRoot = await realpath(root).catch(() => undefined);
    const names = resolvedRoot === undefined ? undefined : namesBelow(resolvedRoot, target);
    if (resolvedRoot !== undefined && names)
      return { path, root: resolvedRoot, names, rootId: await pin(root, resolvedRoot, pinned) };
  }
  throw forbidden(path);
}

async function pin(root: string, resolvedRoot: string, pinned: PinnedRoots): Promise<string> {
  const id = identify(await stat(resolvedRoot, { bigint: true }));
  const first = pinned.get(root) ?? id;
  pinned.set(root, first);
  if (first !== id) throw replaced(root);
  return id;
}

export function replaced(root: string): FileError {
  const message = `${root} is not the directory it was when the session began to use it; open a new session there.`;
  return new FileError('path_forbidden', root, message);
}

export function forbidden(path: string): FileError {
  const message = `${path} is outside the workspace; only files in the session's directories can be read and written here.`;
  return new FileError('path_forbidden', path, message);
}

/** The names from a directory down to a file in it; undefined when it is not in it. Compares whole names, not text. */
export function namesBelow(directory: string, file: string): string[] | undefined {
  const way = relative(directory, file);
  const names = way.split(sep);
  const isOutside = way === '' || isAbsolute(way) || names[0] === '..';
  return isOutside ? undefined : names;
}

/** The path with symlinks resolved as far as it exists; the rest is still to be created. */
async function resolveExisting(normal: string, path: string): Promise<string> {
  const missing: string[] = [];
  let existing = normal.length > 1 && normal.endsWith(sep) ? normal.slice(0, -1) : normal;
  const { root } = parse(existing);
  for (;;) {
    try {
      return [await realpath(existing), ...missing].join(sep).replace(`${root}${sep}`, root);
    } catch (error) {
      // A dangling symlink ends up here too; it is met again, and refused, when its directory is opened.
      if (codeOf(error) !== 'ENOENT' || existing === root) throw asFileError(error, path);
      const { dir, base } = parse(existing);
      missing.unshift(base);
      existing = dir;
    }
  }
}
