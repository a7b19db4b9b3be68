import { isAbsolute } from 'node:path';
import { walk } from '../../operations/search/walk.ts';
import { type Input, objectSchema, optionalBoolean, optionalText } from '../input.ts';
import { failure, failureFrom } from '../outcome.ts';
import { resolvePath, shownPath } from '../paths.ts';
import type { Tool } from '../tool.ts';
import { createGlob } from './glob.ts';
import { tellMissing } from './similar-paths.ts';

interface Args {
  readonly path: string;
  readonly pattern: string | undefined;
  readonly isRecursive: boolean;
  readonly isIncludingIgnored: boolean;
}

const MAX_LISTED = 1000;

/** Who gives one glob for everything means what is below the working directory. */
function readPlace(path: string, pattern: string | undefined): Pick<Args, 'path' | 'pattern'> {
  const isGlob = pattern === undefined && /[*?]/.test(path) && !isAbsolute(path) && !path.startsWith('~');
  return isGlob ? { path: '.', pattern: path } : { path, pattern };
}

export const listFiles: Tool<Args> = {
  name: 'list_files',
  kind: 'search',
  level: 1,
  description: `Lists files and directories. With "pattern", a glob such as "*.ts" or "src/**/*.test.ts", it searches all directories below. Files in .gitignore are left out. At most ${MAX_LISTED} are listed.`,
  inputSchema: objectSchema(
    {
      path: { type: 'string', description: 'The directory. Default: the working directory.' },
      pattern: { type: 'string', description: 'A glob that the paths must fit.' },
      recursive: { type: 'boolean', description: 'List everything below, not just the directory itself.' },
      include_ignored: { type: 'boolean', description: 'List what .gitignore leaves out, too.' },
    },
    [],
  ),
  parse: (input: Input) => ({
    ...readPlace(optionalText(input, 'path') ?? '.', optionalText(input, 'pattern')),
    isRecursive: optionalBoolean(input, 'recursive'),
    isIncludingIgnored: optionalBoolean(input, 'include_ignored'),
  }),
  describe({ path, pattern }, { cwd }) {
    const directory = resolvePath(path, cwd);
    const where = shownPath(directory, cwd);
    return {
      title: pattern ? `List ${pattern} in ${where}` : `List ${where}`,
      locations: [{ path: directory }],
      subject: { type: 'paths', paths: [directory] },
    };
  },
  async run(context) {
    const { args, cwd, roots, operations, signal } = context;
    const { pattern, isRecursive, isIncludingIgnored } = args;
    const root = resolvePath(args.path, cwd);
    const fits = pattern === undefined ? () => true : createGlob(pattern);
    const isDeep = isRecursive || pattern !== undefined;
    try {
      const start = await operations.files.stat(root);
      if (!start) return failure(await tellMissing(args.path, context));
      if (start.type === 'file') return failure(`${shownPath(root, cwd)} is a file; use read_file.`);
      const found: string[] = [];
      let isCut = false;
      const walking = { files: operations.files, root, roots, signal, isIncludingIgnored, isShallow: !isDeep };
      for await (const { path } of walk(walking)) {
        if (!fits(path)) continue;
        if (found.length === MAX_LISTED) {
          isCut = true;
          break;
        }
        found.push(path);
      }
      if (found.length === 0)
        return { text: pattern ? `No file fits ${pattern}.` : 'The directory is empty.', rawOutput: { count: 0 } };
      const note = isCut ? `\n(more than ${MAX_LISTED}; narrow the pattern or the path)` : '';
      return { text: found.join('\n') + note, rawOutput: { count: found.length, isCut } };
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};
