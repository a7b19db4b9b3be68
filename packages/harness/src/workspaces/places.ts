import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { HarnessError } from '../errors.ts';
import type { WorkspaceOptions } from './workspace.ts';

/** The folder in which the workspaces of one run are. */
export interface Place {
  readonly path: string;
  /** Whether it is ours alone, and goes when nothing in it is kept. */
  readonly isTemporary: boolean;
}

/** Temporary ones bear the number of their process, so that those of a run that was killed are found and removed. */
export async function openPlace({ folder, keep = 'never' }: WorkspaceOptions): Promise<Place> {
  try {
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true });
      return { path: await realpath(resolve(folder)), isTemporary: false };
    }
    await removeAbandoned();
    const owner = keep === 'never' ? String(process.pid) : 'kept';
    return { path: await realpath(await mkdtemp(join(tmpdir(), `${PREFIX}${owner}-`))), isTemporary: true };
  } catch (cause) {
    throw failed(`No place for workspaces: ${(cause as Error).message}`, cause);
  }
}

/**
 * A folder of its own for a name. What a file system would not take in a name is replaced, and what a file system would take for the same name is told apart
 * by a hash: `a/b` and `a:b` are two folders. One that is there already, from another run, is left alone.
 */
export async function makeFolder(place: Place, name: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const path = join(place.path, count === 1 ? folderName(name) : `${folderName(name)}-${count}`);
    try {
      await mkdir(path);
      return path;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw failed(`Cannot make the workspace ${path}: ${(cause as Error).message}`, cause);
    }
  }
}

export function folderName(name: string): string {
  const readable = name
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_NAME_CHARACTERS);
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARACTERS);
  return readable === '' ? hash : `${readable}-${hash}`;
}

export function failed(message: string, cause: unknown): HarnessError {
  return new HarnessError('workspace_failed', message, { cause });
}

/** Removes a folder; agents leave files behind that nobody may write, or are still writing. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const PREFIX = 'parley-eval-';
const MAX_NAME_CHARACTERS = 60;
const HASH_CHARACTERS = 10;

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await removeFolder(join(tmpdir(), name)).catch(() => {});
  }
}
