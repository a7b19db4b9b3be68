import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilesReply } from '../../api/index.ts';
import { matchFiles } from './match-files.ts';
import { runGit } from './run-git.ts';

const MAX_KNOWN = 50_000;
const MAX_SHOWN = 50;
/** What is in them is not what people mean, where no `.gitignore` says so. */
const PASSED_OVER: ReadonlySet<string> = new Set(['.git', 'node_modules', '.hg', '.svn']);

/** Files below a folder whose path fits what was typed. Those that git ignores are left out. */
export async function listFiles(cwd: string, query: string, signal: AbortSignal): Promise<FilesReply> {
  const known = await runGit(['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'], {
    cwd,
    signal,
  });
  const all = known ? known.text.split('\0').filter((path) => path !== '') : await walk(cwd, signal);
  const files = matchFiles(all, query, MAX_SHOWN + 1);
  return { files: files.slice(0, MAX_SHOWN), hasMore: files.length > MAX_SHOWN };
}

/** Folder by folder, so that what is near comes first. Links are not followed. */
async function walk(cwd: string, signal: AbortSignal): Promise<readonly string[]> {
  const files: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    if (signal.aborted || files.length >= MAX_KNOWN) break;
    const entries = await readdir(join(cwd, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name) && folders.length < MAX_KNOWN) folders.push(path);
      else if (entry.isFile()) files.push(path);
    }
  }
  return files;
}
