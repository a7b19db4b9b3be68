import { isAbsolutePath } from '@parley/protocol';
import type { ToolCallEvent } from '@parley/session';

const WINDOWS_ROOT = /^[A-Za-z]:\\|^\\\\/;

/** The path as the protocol wants it: absolute. A relative one is taken from `cwd`. */
export function toAbsolutePath(cwd: string, path: string): string {
  if (isAbsolutePath(path)) return path;
  const separator = WINDOWS_ROOT.test(cwd) ? '\\' : '/';
  const parts = cwd.split(separator);
  if (parts.at(-1) === '') parts.pop();
  for (const part of path.split(separator === '\\' ? /[\\/]/ : '/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 1) parts.pop();
  }
  return parts.length > 1 ? parts.join(separator) : `${parts[0] ?? ''}${separator}`;
}

/** A tool call whose files are all named by absolute paths; the same object when they were before. */
export function withAbsolutePaths<Call extends Pick<ToolCallEvent, 'content' | 'locations'>>(
  call: Call,
  cwd: string,
): Call {
  const { content, locations } = call;
  const isFine =
    (locations?.every(({ path }) => isAbsolutePath(path)) ?? true) &&
    (content?.every((each) => each.type !== 'diff' || isAbsolutePath(each.path)) ?? true);
  if (isFine) return call;
  return {
    ...call,
    ...(locations && { locations: locations.map((each) => ({ ...each, path: toAbsolutePath(cwd, each.path) })) }),
    ...(content && {
      content: content.map((each) => (each.type === 'diff' ? { ...each, path: toAbsolutePath(cwd, each.path) } : each)),
    }),
  };
}
