import type { ToolCallContent, ToolCallLocation } from '../v1/types.gen.ts';
import type { Problem } from '../validation/problem.ts';
import { broken, type Path } from './broken.ts';

/** Checks a path; one that is not given is fine. */
export function checkPath(value: string | null | undefined, path: Path): Problem | undefined {
  if (value === null || value === undefined || isAbsolutePath(value)) return undefined;
  const received = value === '' ? 'an empty string' : value.includes('\0') ? 'a path with NUL' : 'a relative path';
  return broken(path, 'absolute path', received);
}

export function checkPaths(values: readonly string[] | undefined, path: Path): Problem | undefined {
  return firstProblem(values ?? [], (value, index) => checkPath(value, [...path, index]));
}

/** Lines count from one. */
export function checkLine(line: number | null | undefined, path: Path): Problem | undefined {
  return line === 0 ? broken(path, 'line number from 1', '0') : undefined;
}

/** Checks the files a tool call names: in its locations and in its diffs. */
export function checkToolCallPaths(
  call: { readonly content?: ToolCallContent[] | null; readonly locations?: ToolCallLocation[] | null },
  path: Path,
): Problem | undefined {
  return (
    firstProblem(call.locations ?? [], (location, index) => {
      const where = [...path, 'locations', index];
      return checkPath(location.path, [...where, 'path']) ?? checkLine(location.line, [...where, 'line']);
    }) ??
    firstProblem(call.content ?? [], (content, index) => {
      return content.type === 'diff' ? checkPath(content.path, [...path, 'content', index, 'path']) : undefined;
    })
  );
}

export function firstProblem<T>(
  items: readonly T[],
  check: (item: T, index: number) => Problem | undefined,
): Problem | undefined {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem) return problem;
  }
  return undefined;
}

/**
 * Whether a path means the same place for both sides: `/home/me`, `C:\work`, `C:/work` or `\\server\share`. Which of
 * them the machine understands is for the one who opens it to find out. A NUL would cut the path short in system calls.
 */
export function isAbsolutePath(path: string): boolean {
  if (path.includes('\0')) return false;
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || /^\\\\[^\\/]+[\\/][^\\/]+/.test(path);
}
