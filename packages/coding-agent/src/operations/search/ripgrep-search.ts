import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname, join, sep } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { SearchMatch, SearchOperations, SearchQuery } from '../operations.ts';
import { toRipgrepExpression } from './ripgrep-expression.ts';
import { NEVER_ENTERED } from './walk.ts';

/**
 * Searches with ripgrep, told to leave out what the walk leaves out. What it cannot be told in its own words, and what
 * it fails at, goes to `otherwise`.
 */
export function ripgrepSearch(command: string, otherwise: SearchOperations, files: RootFiles): SearchOperations {
  return {
    async search(query) {
      const expression = wordsFor(query);
      const root = await files.stat(query.root);
      // A root that is a link would be followed by ripgrep; the walk does not.
      if (expression === undefined || (root?.type !== 'file' && root?.type !== 'directory'))
        return otherwise.search(query);
      const matches = await runRipgrep(command, { ...query, expression, isFile: root.type === 'file' });
      return matches ? { matches, slow: [] } : otherwise.search(query);
    },
  };
}

function wordsFor({ pattern, isRegex, isMultiline }: SearchQuery): string | undefined {
  if (isMultiline) return undefined;
  return isRegex ? toRipgrepExpression(pattern) : pattern;
}

export interface RootFiles {
  stat(path: string): Promise<{ readonly type: string } | undefined>;
}

interface RipgrepQuery extends SearchQuery {
  readonly expression: string;
  readonly isFile: boolean;
}

async function runRipgrep(command: string, query: RipgrepQuery): Promise<readonly SearchMatch[] | undefined> {
  const { root, isFile, signal, maxMatches } = query;
  const folder = isFile ? dirname(root) : root;
  const child = spawn(command, argumentsOf(query, `.${sep}${isFile ? basename(root) : ''}`), {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const ended = once(child, 'close').catch(() => [2]);
  try {
    const matches = await readMatches(child, query, folder);
    signal.throwIfAborted();
    if (matches.length >= maxMatches) return matches;
    const [exitCode] = await ended;
    // 1 says that nothing was found, 2 that something went wrong; what was found by then may be all there is.
    return exitCode === 0 || exitCode === 1 || matches.length > 0 ? matches : undefined;
  } finally {
    child.kill('SIGKILL');
  }
}

function argumentsOf({ expression, isRegex, isCaseSensitive, maxFileBytes }: RipgrepQuery, target: string): string[] {
  return [
    '--json',
    ...(isRegex ? [] : ['--fixed-strings']),
    ...(isCaseSensitive ? ['--case-sensitive'] : ['--ignore-case']),
    ...['--no-config', '--no-messages', '--crlf', '--hidden', '--encoding=none', '--sort=path'],
    ...['--no-require-git', '--no-ignore-global', '--no-ignore-exclude', '--no-ignore-dot'],
    ...[...NEVER_ENTERED].map((name) => `--glob=!**/${name}/**`),
    `--max-filesize=${maxFileBytes}`,
    '--',
    expression,
    target,
  ];
}

/** As much of ripgrep's JSON lines as is read here. */
interface Line {
  readonly type: string;
  readonly data: {
    readonly path?: { readonly text?: string };
    readonly line_number?: number;
    readonly lines?: { readonly text?: string; readonly bytes?: string };
    readonly binary_offset?: number | null;
  };
}

async function readMatches(
  child: ChildProcessByStdio<null, Readable, null>,
  { fits, maxMatches, maxPerFile = maxMatches, signal }: RipgrepQuery,
  folder: string,
): Promise<readonly SearchMatch[]> {
  const matches: SearchMatch[] = [];
  /** Those of the file being read: only at its end it is known whether the file is binary. */
  let open: SearchMatch[] = [];
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const json of createInterface({ input: child.stdout })) {
      const { type, data } = JSON.parse(json) as Line;
      const name = (data.path?.text ?? '').split(sep).slice(1).join('/');
      if (type === 'match' && fits(name) && open.length < maxPerFile) {
        open.push({ path: join(folder, name), line: data.line_number ?? 0, text: textOf(data.lines) });
      }
      if (type !== 'end') continue;
      if (data.binary_offset == null) matches.push(...open.slice(0, maxMatches - matches.length));
      open = [];
      if (matches.length >= maxMatches) break;
    }
    return matches;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function textOf(lines: Line['data']['lines']): string {
  const text = lines?.text ?? Buffer.from(lines?.bytes ?? '', 'base64').toString('utf8');
  return text.replace(/\r?\n$/, '');
}
