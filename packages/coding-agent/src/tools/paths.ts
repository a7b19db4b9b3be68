import { isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findHome } from '@parley/host/places';

/** The path a model means: relative ones start at the session's working directory, `~/` is the person's home, and a file URL its path. */
export function resolvePath(path: string, cwd: string): string {
  if (/^file:\/\//i.test(path)) return pathOfUrl(path) ?? resolve(cwd, path);
  const home = path === '~' || path.startsWith('~/') ? findHome() : undefined;
  if (home !== undefined) return join(home, path.slice(1));
  return resolve(cwd, path);
}

function pathOfUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** As a person would write it: relative inside the working directory, absolute elsewhere. */
export function shownPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  if (way === '') return '.';
  return way.startsWith('..') || isAbsolute(way) ? path : way;
}
