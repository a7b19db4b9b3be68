import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

/** More files are not offered. Large repositories have less than that. */
const MAX_FILES: number = 200_000;

const GIT_TIMEOUT_MS = 5000;
const MAX_GIT_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Where git cannot tell what matters, looking for files must not take long. */
const MAX_WALKED_FILES = 20_000;
/** Never looked into where there is no git to tell. */
const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  'dist',
  'build',
  'target',
  '.venv',
  '__pycache__',
]);
const MAX_DEPTH = 8;

/** The files of a directory, relative to it: those that git does not ignore, or all where there is no repository. */
export async function listFiles(directory: string): Promise<readonly string[]> {
  return (await listByGit(directory)) ?? (await walk(directory));
}

async function listByGit(cwd: string): Promise<string[] | undefined> {
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      [
        '-c',
        'core.fsmonitor=false',
        '-c',
        'safe.bareRepository=explicit',
        'ls-files',
        '--cached',
        '--others',
        '--exclude-standard',
        '-z',
      ],
      { cwd, timeout: GIT_TIMEOUT_MS, maxBuffer: MAX_GIT_OUTPUT_BYTES, windowsHide: true },
    );
    return stdout.split('\0').filter(Boolean).slice(0, MAX_FILES);
  } catch {
    return undefined;
  }
}

async function walk(root: string): Promise<string[]> {
  const files: string[] = [];
  let level = [root];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const directory of level) {
      for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
        if (files.length >= MAX_WALKED_FILES) return files;
        const path = join(directory, entry.name);
        if (entry.isDirectory() && !SKIPPED.has(entry.name) && !entry.name.startsWith('.')) next.push(path);
        else if (entry.isFile()) files.push(relative(root, path));
      }
    }
    level = next;
  }
  return files;
}
