import { type Input, objectSchema, requireText } from '../input.ts';
import { failure, failureFrom } from '../outcome.ts';
import { resolvePath, shownPath } from '../paths.ts';
import type { Tool, ToolContext, ToolOutcome, ToolPreview } from '../tool.ts';
import { tellMissing } from './similar-paths.ts';

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
  async preview(context): Promise<ToolPreview> {
    try {
      const refusal = await refuse(context);
      if (refusal) return { failure: refusal };
      const { file, text } = await readDoomed(context);
      return text === undefined ? {} : { diff: { path: file, oldText: text, newText: '' } };
    } catch (error) {
      return { failure: failureFrom(error, context.signal) };
    }
  },
  async run(context) {
    const { cwd, operations, signal } = context;
    try {
      const refusal = await refuse(context);
      if (refusal) return refusal;
      const { file, text } = await readDoomed(context);
      signal.throwIfAborted();
      await operations.files.remove(file);
      return {
        text: `Deleted ${shownPath(file, cwd)}.`,
        rawOutput: { deleted: file },
        ...(text !== undefined && {
          diff: { path: file, oldText: text, newText: '' },
          changes: [{ path: file, before: text, after: null }],
        }),
      };
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};

async function refuse(context: ToolContext<Args>): Promise<ToolOutcome | undefined> {
  const { args, cwd, operations } = context;
  const file = resolvePath(args.path, cwd);
  const entry = await operations.files.stat(file);
  if (!entry) return failure(await tellMissing(args.path, context));
  if (entry.type === 'directory') return failure(`${shownPath(file, cwd)} is a directory; only files are deleted.`);
  return undefined;
}

/** A binary file cannot be kept as text; it is deleted all the same, and /undo does not bring it back. */
async function readDoomed({ args, cwd, operations, signal }: ToolContext<Args>) {
  const file = resolvePath(args.path, cwd);
  const text = await operations.files.read(file, { signal }).catch(() => undefined);
  return { file, text };
}
