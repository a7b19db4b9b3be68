import {
  createGuardedFiles,
  createPinnedRoots,
  DEFAULT_MAX_FILE_BYTES,
  FileError,
  type GuardedFiles,
} from '@parley/host/files';
import type { Workspace, WorkspaceOptions } from '../workspace/workspace.ts';
import { WorkspaceError } from '../workspace/workspace.ts';

/** The guarded files of this machine, within the roots of the session or those given. */
export function createNodeWorkspace(options: WorkspaceOptions = {}): Workspace {
  const { isReadOnly = false, buffers, maxFileBytes = DEFAULT_MAX_FILE_BYTES } = options;
  const pinned = createPinnedRoots();
  const filesIn = (roots: readonly string[]): GuardedFiles =>
    createGuardedFiles({ roots: options.roots ?? roots, pinned, maxFileBytes });

  const read: Workspace = {
    async readTextFile({ path, roots, line, limit, signal }) {
      signal.throwIfAborted();
      const files = filesIn(roots);
      const unsaved = buffers?.read(path);
      if (unsaved !== undefined) await told(files.requireInside(path));
      return sliceLines(unsaved ?? (await told(files.readText(path))), line, limit);
    },
  };
  if (isReadOnly) return read;
  return {
    ...read,
    async writeTextFile({ path, roots, content, signal }) {
      signal.throwIfAborted();
      const bytes = Buffer.from(content, 'utf8');
      if (bytes.length > maxFileBytes) throw tooLarge(path, bytes.length, maxFileBytes);
      await told(filesIn(roots).write(path, bytes));
      buffers?.write?.(path, content);
    },
  };
}

/** What this machine says of a file, as a workspace says it. */
async function told<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new WorkspaceError(error.code, error.path, error.message, { cause: error });
  }
}

function tooLarge(path: string, bytes: number, maxBytes: number): WorkspaceError {
  return new WorkspaceError(
    'file_too_large',
    path,
    `${path} would have ${bytes} bytes; at most ${maxBytes} may be written.`,
  );
}

/** The lines from `line` (counted from 1) on, at most `limit` of them. Line ends are kept, so that pieces join up again. */
export function sliceLines(text: string, line: number | undefined, limit: number | undefined): string {
  const start = startOfLine(text, 0, Math.max(0, (line ?? 1) - 1));
  return limit === undefined ? text.slice(start) : text.slice(start, startOfLine(text, start, limit));
}

/** Where a text stands after so many more lines; its end when it has fewer. */
function startOfLine(text: string, from: number, lines: number): number {
  let position = from;
  for (let count = 0; count < lines; count += 1) {
    const end = text.indexOf('\n', position);
    if (end < 0) return text.length;
    position = end + 1;
  }
  return position;
}
