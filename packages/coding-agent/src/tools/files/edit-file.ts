import {
  type Input,
  objectSchema,
  optionalBoolean,
  optionalList,
  requireString,
  requireText,
  ToolInputError,
} from '../input.ts';
import { resolvePath, shownPath } from '../paths.ts';
import type { Tool } from '../tool.ts';
import { type Change, changeFile, previewChange } from './change-file.ts';
import { showChangedLines } from './changed-lines.ts';
import { type Replacement, replaceTexts } from './replace-text.ts';

interface Args {
  readonly path: string;
  readonly edits: readonly Replacement[];
}

const MAX_EDITS = 100;

const EDIT_PROPERTIES = {
  old_text: { type: 'string', description: 'The text to replace, as it stands in the file.' },
  new_text: { type: 'string', description: 'What stands there afterwards; may be empty.' },
  replace_all: { type: 'boolean', description: 'Replace every place, not just the only one.' },
};

export const editFile: Tool<Args> = {
  name: 'edit_file',
  kind: 'edit',
  level: 2,
  description:
    'Replaces text in a file and answers with the changed lines. "old_text" must stand in the file as given, and only once, unless "replace_all" is set; include a line or two around the change to make it unique. Several changes to one file go into "edits": they are made in order, all or none. Read the file first: one that has changed since is refused.',
  inputSchema: objectSchema(
    {
      path: { type: 'string', description: 'The file, relative to the working directory or absolute.' },
      ...EDIT_PROPERTIES,
      edits: {
        type: 'array',
        description: 'Several replacements, instead of "old_text" and "new_text".',
        items: objectSchema(EDIT_PROPERTIES, ['old_text', 'new_text']),
      },
    },
    ['path'],
  ),
  parse: (input: Input) => ({ path: requireText(input, 'path'), edits: parseEdits(input) }),
  describe({ path, edits }, { cwd }) {
    const file = resolvePath(path, cwd);
    return {
      title: `Edit ${shownPath(file, cwd)}${edits.length > 1 ? ` (${edits.length} places)` : ''}`,
      locations: [{ path: file }],
      subject: { type: 'paths', paths: [file] },
      undo: 'Type /undo to put the file back as it was.',
    };
  },
  preview: (context) => previewChange(context, context.args.path, changeOf(context.args)),
  run: (context) => changeFile(context, context.args.path, changeOf(context.args)),
};

function parseEdits(input: Input): readonly Replacement[] {
  const edits = optionalList(input, 'edits');
  if (edits === undefined || edits.length === 0) return [parseEdit(input)];
  if (edits.length > MAX_EDITS) throw new ToolInputError(`"edits" may have ${MAX_EDITS} entries; send the rest later.`);
  const more = input.old_text === undefined || input.old_text === '' ? [] : [parseEdit(input)];
  return [...more, ...edits.map((edit, index) => parseNumbered(edit, index))];
}

function parseNumbered(edit: unknown, index: number): Replacement {
  try {
    if (typeof edit !== 'object' || edit === null) throw new ToolInputError('it must be an object.');
    return parseEdit(edit as Input);
  } catch (error) {
    throw new ToolInputError(`Edit ${index + 1} of "edits": ${(error as Error).message}`);
  }
}

function parseEdit(input: Input): Replacement {
  const oldText = requireText(input, 'old_text');
  const newText = requireString(input, 'new_text');
  if (oldText === newText) throw new ToolInputError('"old_text" and "new_text" are the same; nothing would change.');
  return { oldText, newText, isEverywhere: optionalBoolean(input, 'replace_all') };
}

function changeOf({ edits }: Args): Change {
  return (before) => {
    if (before === null) return { isMissing: true, error: `Use write_file to create it.` };
    const replaced = replaceTexts(before, edits);
    if ('error' in replaced) return replaced;
    const { content, places, ranges, differs } = replaced;
    const tolerance =
      differs.length === 0
        ? ''
        : `\n"old_text" was not quite what the file had (${differs.join('; ')}); it was replaced all the same.`;
    return {
      content,
      says: places === 1 ? 'Edited' : `Replaced ${places} places in`,
      adds: `${tolerance}\n${showChangedLines(content, ranges)}`,
    };
  };
}
