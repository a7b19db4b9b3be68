import { join } from 'node:path';
import { createGlob } from './glob.ts';
import { type Input, objectSchema, optionalBoolean, optionalText, requireText, ToolInputError } from './input.ts';
import type { FileOperations } from './operations.ts';
import { failureFrom } from './outcome.ts';
import { resolvePath, shownPath } from './paths.ts';
import type { Tool, ToolOutcome } from './tool.ts';
import { walk } from './walk.ts';

interface Args {
  readonly pattern: string;
  readonly path: string;
  readonly glob: string | undefined;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

const MAX_MATCHES = 200;
const MAX_LINE_CHARACTERS = 300;
const MAX_FILE_BYTES = 2 * 1024 * 1024;

export const searchFiles: Tool<Args> = {
  name: 'search_files',
  kind: 'search',
  level: 1,
  description: `Searches the text of files and answers with path:line: text. "pattern" is plain text unless "regex" is set. Files in .gitignore, binary and very large files are left out. At most ${MAX_MATCHES} matches.`,
  inputSchema: objectSchema(
    {
      pattern: { type: 'string', description: 'What to look for.' },
      path: { type: 'string', description: 'A directory or file to search in. Default: the working directory.' },
      glob: { type: 'string', description: 'Only files that fit, such as "*.ts".' },
      regex: { type: 'boolean', description: 'Read the pattern as a JavaScript regular expression.' },
      case_sensitive: { type: 'boolean', description: 'Tell upper from lower case. Default: no.' },
    },
    ['pattern'],
  ),
  parse(input: Input) {
    const args = {
      pattern: requireText(input, 'pattern'),
      path: optionalText(input, 'path') ?? '.',
      glob: optionalText(input, 'glob'),
      isRegex: optionalBoolean(input, 'regex'),
      isCaseSensitive: optionalBoolean(input, 'case_sensitive'),
    };
    createExpression(args);
    return args;
  },
  describe({ pattern, path }, { cwd }) {
    const where = resolvePath(path, cwd);
    return {
      title: `Search for "${pattern.slice(0, 60)}" in ${shownPath(where, cwd)}`,
      locations: [{ path: where }],
      subject: { type: 'paths', paths: [where] },
    };
  },
  async run({ args, cwd, operations: { files }, signal }) {
    const root = resolvePath(args.path, cwd);
    const expression = createExpression(args);
    const fits = args.glob === undefined ? () => true : createGlob(args.glob);
    try {
      const matches: Match[] = [];
      for await (const path of filesIn(files, root, signal)) {
        if (!fits(shownPath(path, root))) continue;
        signal.throwIfAborted();
        const text = await readSearchable(files, path);
        collect(matches, { path, text, expression });
        if (matches.length >= MAX_MATCHES) break;
      }
      return report(matches, args.pattern, cwd);
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};

function createExpression({ pattern, isRegex, isCaseSensitive }: Args): RegExp {
  const source = isRegex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  try {
    return new RegExp(source, isCaseSensitive ? 'u' : 'iu');
  } catch (error) {
    throw new ToolInputError(`"pattern" is not a regular expression: ${(error as Error).message}`);
  }
}

async function* filesIn(files: FileOperations, root: string, signal: AbortSignal): AsyncGenerator<string> {
  const start = await files.stat(root);
  if (start?.type === 'file') return yield root;
  for await (const { path, isDirectory } of walk({ files, root, signal })) if (!isDirectory) yield join(root, path);
}

/** Binary, unreadable and very large files hold nothing that a search should show. */
async function readSearchable(files: FileOperations, path: string): Promise<string> {
  const entry = await files.stat(path).catch(() => undefined);
  if (entry?.type !== 'file' || entry.bytes > MAX_FILE_BYTES) return '';
  const text = await files.read(path).catch(() => '');
  return text.includes('\0') ? '' : text;
}

function collect(matches: Match[], file: { path: string; text: string; expression: RegExp }): void {
  const lines = file.text.split('\n');
  for (const [index, text] of lines.entries()) {
    if (matches.length >= MAX_MATCHES) return;
    if (file.expression.test(text)) matches.push({ path: file.path, line: index + 1, text });
  }
}

function report(matches: readonly Match[], pattern: string, cwd: string): ToolOutcome {
  if (matches.length === 0) return { text: `Nothing matches "${pattern}".` };
  const lines = matches.map(
    ({ path, line, text }) => `${shownPath(path, cwd)}:${line}: ${text.trim().slice(0, MAX_LINE_CHARACTERS)}`,
  );
  const note = matches.length >= MAX_MATCHES ? `\n(the first ${MAX_MATCHES}; narrow the pattern or the path)` : '';
  const locations = matches.slice(0, 20).map(({ path, line }) => ({ path, line }));
  return { text: lines.join('\n') + note, locations, rawOutput: { count: matches.length } };
}
