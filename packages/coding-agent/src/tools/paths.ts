import { isAbsolute, relative, resolve } from 'node:path';

/** The path a model means: relative ones start at the session's working directory, and `~` is not expanded. */
export function resolvePath(path: string, cwd: string): string {
  return resolve(cwd, path);
}

/** As a person would write it: relative inside the working directory, absolute elsewhere. */
export function shownPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  if (way === '') return '.';
  return way.startsWith('..') || isAbsolute(way) ? path : way;
}
