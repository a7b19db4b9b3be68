import { visibleLine } from './visible-text.ts';

/** A path as short as it can be said: inside the working folder without it. Nothing in it is hidden. */
export function shortPath(path: string, cwd: string): string {
  const folder = cwd.replace(/[\\/]+$/, '');
  const isInside = folder !== '' && path.startsWith(folder) && /^[\\/]./.test(path.slice(folder.length));
  return visibleLine(isInside ? path.slice(folder.length + 1) : path);
}
