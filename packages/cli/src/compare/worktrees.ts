import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { usageError } from '@parley/host/command-line';

/** How much an agent changed, and where its changes are kept. */
export interface DiffStat {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
  /** A patch for `git apply`; null when nothing was changed. */
  readonly patch: string | null;
}

/** A folder of its own for one agent: the repository as it was at HEAD, gone when it is disposed. */
export interface Worktree extends AsyncDisposable {
  /** Where the agent works: the same place in the repository as the person's folder. */
  readonly cwd: string;
  /** What has changed in it; the changes are written to a patch of this name. */
  measure(patch: string): Promise<DiffStat>;
}

/** Opens worktrees of one repository, all of the same commit. */
export interface Repository {
  readonly hasUncommitted: boolean;
  open(): Promise<Worktree>;
}

/** Most that a patch may have; what is more is counted, but not kept. */
const MAX_PATCH_BYTES = 64 * 1024 * 1024;

/** The repository that a folder belongs to. */
export async function findRepository(cwd: string, env: NodeJS.ProcessEnv): Promise<Repository> {
  const git = createGit(env);
  const root = await git(cwd, 'rev-parse', '--show-toplevel').catch((error: Error) => {
    throw usageError(`--worktree needs a git repository; ${cwd} is in none (${firstLine(error)}).`);
  });
  const commit = await git(cwd, 'rev-parse', '--verify', 'HEAD^{commit}').catch(() => {
    throw usageError('--worktree needs a commit to begin from; this repository has none.', 'git commit');
  });
  const prefix = await git(cwd, 'rev-parse', '--show-prefix');
  const changes = await git(root, 'status', '--porcelain');
  await removeAbandoned(await git(root, 'worktree', 'list', '--porcelain'), (path) =>
    git(root, 'worktree', 'remove', '--force', path),
  );
  return {
    hasUncommitted: changes !== '',
    async open() {
      const parent = await realpath(await mkdtemp(join(tmpdir(), `parley-compare-${process.pid}-`)));
      const path = join(parent, 'worktree');
      await git(root, 'worktree', 'add', '--detach', '--quiet', path, commit);
      return {
        cwd: join(path, prefix),
        measure: (patch) => measure(patch, (...args) => git(path, ...args), commit),
        async [Symbol.asyncDispose]() {
          await git(root, 'worktree', 'remove', '--force', path).catch(() => {});
          await rm(parent, { recursive: true, force: true });
        },
      };
    },
  };
}

/** A run that was killed could not remove its worktree; its name tells whose it was. */
async function removeAbandoned(list: string, remove: (path: string) => Promise<unknown>): Promise<void> {
  for (const [, path = '', pid = ''] of list.matchAll(/^worktree (.*[/\\]parley-compare-(\d+)-\w+[/\\]worktree)$/gm)) {
    if (!existsSync(path) || isAlive(Number(pid))) continue;
    await remove(path).catch(() => {});
    await rm(join(path, '..'), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Compares with the commit at the beginning, so that what an agent has committed itself counts, too. */
async function measure(patch: string, git: (...args: string[]) => Promise<string>, commit: string): Promise<DiffStat> {
  await git('add', '--all');
  const numbers = await git('diff', '--cached', '--numstat', commit);
  const files = numbers === '' ? [] : numbers.split('\n').map((line) => line.split('\t'));
  const sum = (column: number): number => files.reduce((total, cells) => total + (Number(cells[column]) || 0), 0);
  const stat = { files: files.length, insertions: sum(0), deletions: sum(1) };
  if (files.length === 0) return { ...stat, patch: null };
  const text = await git('diff', '--cached', '--binary', commit).catch(() => undefined);
  if (text === undefined) return { ...stat, patch: null };
  await mkdir(join(patch, '..'), { recursive: true, mode: 0o700 });
  await writeFile(patch, `${text}\n`, { mode: 0o600 });
  return { ...stat, patch };
}

type Git = (cwd: string, ...args: string[]) => Promise<string>;

/** Runs git in a folder. What a hook's environment says about another repository does not count, and no hook runs. */
function createGit(env: NodeJS.ProcessEnv): Git {
  const clean = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE)$/.test(name)),
  );
  const run = promisify(execFile);
  return async (cwd, ...args) => {
    const options = { cwd, env: clean, maxBuffer: MAX_PATCH_BYTES };
    const { stdout } = await run(
      'git',
      ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', ...args],
      options,
    );
    return stdout.replace(/\n$/, '');
  };
}

function firstLine({ message }: Error): string {
  return message.split('\n').at(-2) ?? message;
}
