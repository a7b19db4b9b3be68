import { execFile } from 'node:child_process';
import { findProgram } from '@parley/host/programs';

export interface GitOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** What is left of an answer beyond it is cut off. */
  readonly maxBytes?: number;
}

export interface GitAnswer {
  readonly text: string;
  readonly isCut: boolean;
}

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

/** What a repository may have git run for it: none of it is wanted by somebody who only looks. */
const HARMLESS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.quotePath=true',
  'diff.external=',
];

/**
 * Asks git; undefined when it fails, as it does outside of a repository. A repository is not trusted: its hooks, its watchers, its own
 * diff programs and its filters are not run, nothing is written, and nobody is asked for a password.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitAnswer | undefined> {
  const filters = await filterSettings(options);
  return filters && callGit([...settings([...HARMLESS, ...filters]), ...args], options);
}

/** A filter of `.gitattributes` is a program that `status` and `diff` would run; each of them is switched off by its name. */
async function filterSettings(options: GitOptions): Promise<readonly string[] | undefined> {
  const answer = await callGit([...settings(HARMLESS), 'config', '--null', '--name-only', '--list'], options);
  if (!answer) return undefined;
  const names = new Set(
    answer.text.split('\0').flatMap((key) => /^filter\.(.+)\.(?:clean|smudge|process|required)$/s.exec(key)?.[1] ?? []),
  );
  // A name with an equals sign cannot be set that way; such a repository is not looked at.
  if ([...names].some((name) => name.includes('='))) return undefined;
  return [...names].flatMap((name) => [
    `filter.${name}.clean=`,
    `filter.${name}.smudge=`,
    `filter.${name}.process=`,
    `filter.${name}.required=false`,
  ]);
}

function settings(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => ['-c', value]);
}

async function callGit(
  args: readonly string[],
  { cwd, signal, maxBytes = DEFAULT_MAX_BYTES }: GitOptions,
): Promise<GitAnswer | undefined> {
  const program = findProgram('git', { env: process.env });
  if (program === undefined) return undefined;
  const env = gitEnvironment();
  return new Promise((resolve) => {
    const options = { cwd, env, signal, maxBuffer: maxBytes, timeout: TIMEOUT_MS, encoding: 'utf8' as const };
    execFile(program, [...args], options, (error, stdout) => {
      const isCut = error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
      resolve(error && !isCut ? undefined : { text: stdout, isCut });
    });
  });
}

/** Variables of git could name another repository, or a program. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(plain), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}
