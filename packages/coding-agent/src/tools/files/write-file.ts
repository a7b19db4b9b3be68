import { type Input, objectSchema, optionalBoolean, requireString, requireText, ToolInputError } from '../input.ts';
import { resolvePath, shownPath } from '../paths.ts';
import type { Tool } from '../tool.ts';
import { type Change, changeFile, previewChange } from './change-file.ts';

interface Args {
  readonly path: string;
  readonly content: string;
  readonly isAppending: boolean;
}

export const writeFile: Tool<Args> = {
  name: 'write_file',
  kind: 'edit',
  level: 2,
  description:
    'Creates a file with the given content, or replaces everything in it. Missing directories are created. To change a part of a file use edit_file.',
  inputSchema: objectSchema(
    {
      path: { type: 'string', description: 'The file, relative to the working directory or absolute.' },
      content: { type: 'string', description: 'All that the file will hold.' },
      append: { type: 'boolean', description: 'Add the content at the end of the file instead.' },
    },
    ['path', 'content'],
  ),
  parse: (input: Input) => ({
    path: requireFile(input),
    content: requireString(input, 'content'),
    isAppending: optionalBoolean(input, 'append'),
  }),
  describe({ path }, { cwd }) {
    const file = resolvePath(path, cwd);
    return {
      title: `Write ${shownPath(file, cwd)}`,
      locations: [{ path: file }],
      subject: { type: 'paths', paths: [file] },
      undo: 'Type /undo to put the file back as it was.',
    };
  },
  preview: (context) => previewChange(context, context.args.path, changeOf(context.args)),
  run: (context) => changeFile(context, context.args.path, changeOf(context.args)),
};

function requireFile(input: Input): string {
  const path = requireText(input, 'path');
  if (/[/\\]$/.test(path)) throw new ToolInputError(`"${path}" is a directory; name the file in it.`);
  return path;
}

function changeOf({ content, isAppending }: Args): Change {
  return (before) => {
    if (before === null) return { content, says: 'Created' };
    return isAppending ? { content: before + content, says: 'Added to', isBlind: true } : { content, says: 'Replaced' };
  };
}
