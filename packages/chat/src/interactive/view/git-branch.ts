import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The branch that a directory's repository is on, read without running git; undefined where there is none. */
export async function readGitBranch(directory: string): Promise<string | undefined> {
  for (let place = directory; ; place = dirname(place)) {
    const gitPath = join(place, '.git');
    const stats = await stat(gitPath).catch(() => undefined);
    if (stats) return await readHead(stats.isDirectory() ? gitPath : await readPointer(gitPath));
    if (dirname(place) === place) return undefined;
  }
}

/** In a worktree `.git` is a file that names the real place. */
async function readPointer(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return resolve(dirname(path), text.replace(/^gitdir:\s*/, '').trim());
}

async function readHead(gitDirectory: string): Promise<string | undefined> {
  const head = (await readFile(join(gitDirectory, 'HEAD'), 'utf8').catch(() => '')).trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  return branch ?? (head === '' ? undefined : head.slice(0, 8));
}
