import { headOf } from '@parley/models/model';
import type { FileOperations, SearchMatch, SearchResult } from '../../operations/operations.ts';
import { readExpression } from '../../operations/search/expression.ts';
import { type Input, objectSchema, optionalBoolean, optionalInteger, optionalText, requireText } from '../input.ts';
import { failure, failureFrom } from '../outcome.ts';
import { resolvePath, shownPath } from '../paths.ts';
import type { Tool, ToolOutcome } from '../tool.ts';
import { createGlob } from './glob.ts';
import { withContext } from './search-context.ts';
import { tellMissing } from './similar-paths.ts';

interface Args {
  readonly pattern: string;
  readonly path: string;
  readonly glob: string | undefined;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  readonly isMultiline: boolean;
  readonly isFilesOnly: boolean;
  readonly before: number;
  readonly after: number;
  /** What the model should know about how its pattern was read. */
  readonly note: string | undefined;
}

const MAX_MATCHES = 200;
const MAX_CONTEXT_LINES = 20;
const MAX_LINE_CHARACTERS = 300;
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_NAMED_FILE_BYTES = 32 * 1024 * 1024;
const MAX_LOCATIONS = 20;
const CONTEXT = { min: 0, max: MAX_CONTEXT_LINES } as const;

export const searchFiles: Tool<Args> = {
  name: 'search_files',
  kind: 'search',
  level: 1,
  description: `Searches the text of files and answers with path:line: text. "pattern" is a regular expression unless "literal" is set. Files in .gitignore, binary and very large files are left out. At most ${MAX_MATCHES} matches.`,
  inputSchema: objectSchema(
    {
      pattern: { type: 'string', description: 'What to look for.' },
      path: { type: 'string', description: 'A directory or file to search in. Default: the working directory.' },
      glob: { type: 'string', description: 'Only files that fit, such as "*.ts".' },
      literal: { type: 'boolean', description: 'Read the pattern as plain text.' },
      case_sensitive: { type: 'boolean', description: 'Tell upper from lower case. Default: no.' },
      context: { type: 'integer', minimum: 0, maximum: MAX_CONTEXT_LINES, description: 'Lines around each match.' },
      before: { type: 'integer', minimum: 0, maximum: MAX_CONTEXT_LINES, description: 'Lines before each match.' },
      after: { type: 'integer', minimum: 0, maximum: MAX_CONTEXT_LINES, description: 'Lines after each match.' },
      multiline: { type: 'boolean', description: 'Let a match go over several lines; a dot is a line end, too.' },
      files_only: { type: 'boolean', description: 'Name only the files.' },
    },
    ['pattern'],
  ),
  parse(input: Input) {
    const pattern = requireText(input, 'pattern');
    const isCaseSensitive = optionalBoolean(input, 'case_sensitive');
    const around = optionalInteger(input, 'context', CONTEXT) ?? 0;
    return {
      pattern,
      path: optionalText(input, 'path') ?? '.',
      glob: optionalText(input, 'glob'),
      isCaseSensitive,
      ...readPattern(pattern, optionalBoolean(input, 'literal')),
      isMultiline: optionalBoolean(input, 'multiline'),
      isFilesOnly: optionalBoolean(input, 'files_only'),
      before: optionalInteger(input, 'before', CONTEXT) ?? around,
      after: optionalInteger(input, 'after', CONTEXT) ?? around,
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
  async run(context) {
    const { args, cwd, roots, operations, signal } = context;
    const { pattern, glob, isRegex, isCaseSensitive, isMultiline, isFilesOnly } = args;
    const root = resolvePath(args.path, cwd);
    try {
      const start = await operations.files.stat(root);
      if (!start) return failure(await tellMissing(args.path, context));
      // Who names a file wants that one looked into, such as the whole output of a command.
      const maxFileBytes = start.type === 'file' ? MAX_NAMED_FILE_BYTES : MAX_FILE_BYTES;
      if (start.type === 'file' && start.bytes > maxFileBytes) {
        const size = `${Math.round(start.bytes / 1024 / 1024)} MB`;
        return failure(
          `${shownPath(root, cwd)} has ${size}, which is too much to search here; use grep with run_command.`,
        );
      }
      const result = await operations.search.search({
        root,
        roots,
        pattern,
        isRegex,
        isCaseSensitive,
        isMultiline,
        fits: glob === undefined ? () => true : createGlob(glob),
        maxMatches: MAX_MATCHES,
        ...(isFilesOnly && { maxPerFile: 1 }),
        maxFileBytes,
        signal,
      });
      return await report(result, args, { cwd, files: operations.files });
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};

/** What is no expression was meant as text: a search for `f(x` finds it. */
function readPattern(pattern: string, isLiteral: boolean): Pick<Args, 'isRegex' | 'note'> {
  if (isLiteral) return { isRegex: false, note: undefined };
  try {
    readExpression(pattern, true);
    return { isRegex: true, note: undefined };
  } catch (error) {
    return { isRegex: false, note: `(read as plain text; ${(error as Error).message})` };
  }
}

interface Place {
  readonly cwd: string;
  readonly files: Pick<FileOperations, 'readBytes'>;
}

async function report(
  { matches, slow, isPartial }: SearchResult,
  args: Args,
  { cwd, files }: Place,
): Promise<ToolOutcome> {
  const { pattern, isFilesOnly, before, after, note } = args;
  const shown = isFilesOnly
    ? [...new Set(matches.map(({ path }) => shownPath(path, cwd)))]
    : (await withContext(matches, { before, after, files })).map((line) => toText(line, cwd));
  const lines = [
    ...(matches.length === 0 ? [`Nothing matches "${pattern}".`] : shown),
    ...(matches.length >= MAX_MATCHES ? [`(the first ${MAX_MATCHES}; narrow the pattern or the path)`] : []),
    ...(isPartial ? ['(there are more files than were looked at; name a path or a glob)'] : []),
    ...(note === undefined ? [] : [note]),
    ...(slow.length > 0 ? [tellSlow(slow, cwd)] : []),
  ];
  const locations = matches.slice(0, MAX_LOCATIONS).map(({ path, line }) => ({ path, line }));
  return {
    text: lines.join('\n'),
    ...(locations.length > 0 && { locations }),
    rawOutput: { count: isFilesOnly ? shown.length : matches.length },
  };
}

/** As grep writes it: a match has colons, a line around it has dashes. */
function toText(line: (SearchMatch & { readonly isAround?: boolean }) | 'gap', cwd: string): string {
  if (line === 'gap') return '--';
  const mark = line.isAround ? '-' : ':';
  return `${shownPath(line.path, cwd)}${mark}${line.line}${mark} ${headOf(line.text.trimEnd(), MAX_LINE_CHARACTERS)}`;
}

function tellSlow(slow: SearchResult['slow'], cwd: string): string {
  const places = slow.slice(0, 5).map(({ path, line }) => `${shownPath(path, cwd)}:${line}`);
  const more = slow.length > places.length ? ` and ${slow.length - places.length} more` : '';
  return `(left out, since the expression takes too long there: ${places.join(', ')}${more})`;
}
