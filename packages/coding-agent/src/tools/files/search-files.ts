import { headOf } from '../../text.ts';
import { type Input, objectSchema, optionalBoolean, optionalText, requireText, ToolInputError } from '../input.ts';
import type { SearchMatch } from '../operations.ts';
import { failure, failureFrom } from '../outcome.ts';
import { resolvePath, shownPath } from '../paths.ts';
import type { Tool, ToolOutcome } from '../tool.ts';
import { createGlob } from './glob.ts';

interface Args {
  readonly pattern: string;
  readonly path: string;
  readonly glob: string | undefined;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

const MAX_MATCHES = 200;
const MAX_LINE_CHARACTERS = 300;
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_LOCATIONS = 20;

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
    const isRegex = optionalBoolean(input, 'regex');
    const pattern = requireText(input, 'pattern');
    if (isRegex) requireExpression(pattern);
    return {
      pattern,
      path: optionalText(input, 'path') ?? '.',
      glob: optionalText(input, 'glob'),
      isRegex,
      isCaseSensitive: optionalBoolean(input, 'case_sensitive'),
    };
  },
  describe({ pattern, path, glob }, { cwd }) {
    const where = resolvePath(path, cwd);
    const files = glob === undefined ? '' : ` (${glob})`;
    return {
      title: `Search for "${headOf(pattern, 60)}" in ${shownPath(where, cwd)}${files}`,
      locations: [{ path: where }],
      subject: { type: 'paths', paths: [where] },
    };
  },
  async run({ args, cwd, roots, operations, signal }) {
    const { pattern, glob, isRegex, isCaseSensitive } = args;
    const root = resolvePath(args.path, cwd);
    try {
      if (!(await operations.files.stat(root))) return failure(`${shownPath(root, cwd)} does not exist.`);
      const { matches } = await operations.search.search({
        root,
        roots,
        pattern,
        isRegex,
        isCaseSensitive,
        fits: glob === undefined ? () => true : createGlob(glob),
        maxMatches: MAX_MATCHES,
        maxFileBytes: MAX_FILE_BYTES,
        signal,
      });
      return report(matches, pattern, cwd);
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};

function requireExpression(pattern: string): void {
  try {
    // As the search itself reads it: strictly, else by the rules of old.
    new RegExp(pattern);
  } catch (error) {
    throw new ToolInputError(`"pattern" is not a regular expression: ${(error as Error).message}`);
  }
}

function report(matches: readonly SearchMatch[], pattern: string, cwd: string): ToolOutcome {
  if (matches.length === 0) return { text: `Nothing matches "${pattern}".`, rawOutput: { count: 0 } };
  const lines = matches.map(
    ({ path, line, text }) => `${shownPath(path, cwd)}:${line}: ${headOf(text.trim(), MAX_LINE_CHARACTERS)}`,
  );
  const note = matches.length >= MAX_MATCHES ? `\n(the first ${MAX_MATCHES}; narrow the pattern or the path)` : '';
  const locations = matches.slice(0, MAX_LOCATIONS).map(({ path, line }) => ({ path, line }));
  return { text: lines.join('\n') + note, locations, rawOutput: { count: matches.length } };
}
