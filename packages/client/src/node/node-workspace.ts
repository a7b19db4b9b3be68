import { sliceLines } from '../../workspace/slice-lines.ts';
import type { Workspace, WorkspaceOptions } from '../../workspace/workspace.ts';
import { WorkspaceError } from '../../workspace/workspace.ts';
import { decodeText } from './decode-text.ts';
import { createPinnedRoots, locate } from './locate.ts';
import { readWithin } from './read-within.ts';
import { writeWithin } from './write-within.ts';

export const DEFAULT_MAX_FILE_BYTES: number = 16 * 1024 * 1024;

/**
 * Files of this machine, within the roots and nowhere else: not by `..`, not by a symlink, not by a directory that is
 * swapped for a symlink while we look.
 */
export function createNodeWorkspace(options: WorkspaceOptions = {}): Workspace {
  const { isReadOnly = false, buffers, maxFileBytes = DEFAULT_MAX_FILE_BYTES } = options;
  const pinned = createPinnedRoots();
  const rootsFor = (roots: readonly string[]): readonly string[] => options.roots ?? roots;

  const read: Workspace = {
    async readTextFile({ path, roots, line, limit, signal }) {
      const place = await locate(path, rootsFor(roots), pinned);
      signal.throwIfAborted();
      const text = buffers?.read(path) ?? decodeText(await readWithin(place, maxFileBytes), path);
      return sliceLines(text, line, limit);
    },
  };
  if (isReadOnly) return read;
  return {
    ...read,
    async writeTextFile({ path, roots, content, signal }) {
      const bytes = Buffer.from(content, 'utf8');
      if (bytes.length > maxFileBytes) throw tooLarge(path, bytes.length, maxFileBytes);
      const place = await locate(path, rootsFor(roots), pinned);
      signal.throwIfAborted();
      await writeWithin(place, bytes);
      buffers?.write?.(path, content);
    },
  };
}

function tooLarge(path: string, bytes: number, maxBytes: number): WorkspaceError {
  return new WorkspaceError(
    'file_too_large',
    path,
    `${path} would have ${bytes} bytes; at most ${maxBytes} may be written.`,
  );
}
