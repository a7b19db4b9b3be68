import { type Input, objectSchema, optionalBoolean, requireString, requireText, ToolInputError } from '../input.ts';
import { resolvePath, shownPath } from '../paths.ts';
import type { Tool } from '../tool.ts';
import { type Change, changeFile, previewChange } from './change-file.ts';
import { replaceText } from './replace-text.ts';

interface Args {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly isEverywhere: boolean;
}

export const editFile: Tool<Args> = {
  name: 'edit_file',
  kind: 'edit',
  level: 2,
  description:
    'Replaces one piece of text in a file by another. "old_text" must stand in the file exactly as given, white space included, and only once, unless "replace_all" is set. Include a line or two around the change to make it unique. Read the file first.',
  inputSchema: objectSchema(
    {
      path: { type: 'string', description: 'The file, relative to the working directory or absolute.' },
      old_text: { type: 'string', description: 'The exact text to replace.' },
      new_text: { type: 'string', description: 'What stands there afterwards; may be empty.' },
      replace_all: { type: 'boolean', description: 'Replace every place, not just the only one.' },
    },
    ['path', 'old_text', 'new_text'],
  ),
  parse(input: Input) {
    const oldText = requireText(input, 'old_text');
    const newText = requireString(input, 'new_text');
    if (oldText === newText) throw new ToolInputError('"old_text" and "new_text" are the same; nothing would change.');
    return { path: requireText(input, 'path'), oldText, newText, isEverywhere: optionalBoolean(input, 'replace_all') };
  },
  describe({ path }, { cwd }) {
    const file = resolvePath(path, cwd);
    return {
      title: `Edit ${shownPath(file, cwd)}`,
      locations: [{ path: file }],
      subject: { type: 'paths', paths: [file] },
      undo: 'Type /undo to put the file back as it was.',
    };
  },
  preview: (context) => previewChange(context, context.args.path, changeOf(context.args)),
  run: (context) => changeFile(context, context.args.path, changeOf(context.args)),
};

function changeOf({ path, ...replacement }: Args): Change {
  return (before) => {
    if (before === null) return { error: `${path} does not exist. Use write_file to create it.` };
    return replaceText(before, replacement);
  };
}
