import { isAbsolute, join, relative, resolve } from 'node:path';
import { findHome } from '@parley/host/places';

/** The path a model means: relative ones start at the session's working directory, and `~/` is the person's home. */
export function resolvePath(path: string, cwd: string): string {
  const home = path === '~' || path.startsWith('~/') ? findHome() : undefined;
  if (home !== undefined) return join(home, path.slice(1));
  return resolve(cwd, path);
}

/** As a person would write it: relative inside the working directory, absolute elsewhere. */
export function shownPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  if (way === '') return '.';
  return way.startsWith('..') || isAbsolute(way) ? path : way;
}
