import { isAbsolute, relative } from 'node:path';

export { wordBytes, wordCount, wordDuration, wordTokens } from '@parley/session/view';

/** A path as short as it can be said here: inside the working directory without it, inside the home with `~`. */
export function wordPath(path: string, cwd: string, home?: string): string {
  const within = relative(cwd, path);
  if (isAbsolute(path) && within !== '' && !within.startsWith('..') && !isAbsolute(within)) return within;
  if (home !== undefined && home !== '' && (path === home || path.startsWith(`${home}/`))) {
    return `~${path.slice(home.length)}`;
  }
  return path;
}
