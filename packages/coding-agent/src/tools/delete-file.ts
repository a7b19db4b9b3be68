import { type Input, objectSchema, requireText } from './input.ts';
import { failureFrom } from './outcome.ts';
import { resolvePath, shownPath } from './paths.ts';
import type { Tool } from './tool.ts';

interface Args {
  readonly path: string;
}

export const deleteFile: Tool<Args> = {
  name: 'delete_file',
  kind: 'delete',
  level: 3,
  description: 'Deletes one file. Directories are not deleted; use run_command for those.',
  inputSchema: objectSchema(
    { path: { type: 'string', description: 'The file, relative to the working directory or absolute.' } },
    ['path'],
  ),
  parse: (input: Input) => ({ path: requireText(input, 'path') }),
  describe({ path }, { cwd }) {
    const file = resolvePath(path, cwd);
    return {
      title: `Delete ${shownPath(file, cwd)}`,
      locations: [{ path: file }],
      subject: { type: 'paths', paths: [file] },
      undo: 'Type /undo to bring a text file back.',
    };
  },
  async run({ args, cwd, operations, signal }) {
    const file = resolvePath(args.path, cwd);
    try {
      // A binary file cannot be kept as text; it is deleted all the same, and /undo says so.
      const before = await operations.files.read(file, { signal }).catch(() => undefined);
      signal.throwIfAborted();
      await operations.files.remove(file);
      return {
        text: `Deleted ${shownPath(file, cwd)}.`,
        ...(before !== undefined && {
          diff: { path: file, oldText: before, newText: '' },
          before: [{ path: file, content: before }],
        }),
      };
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};
