import { constants } from 'node:fs';
import { cp, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceRecord } from '../formats/attempt.ts';
import { git } from './git.ts';
import { measureChanges } from './measure-changes.ts';
import { failed, makeFolder, openPlace, type Place, removeFolder } from './places.ts';
import type { Workspace, WorkspaceOptions, Workspaces } from './workspace.ts';

interface FreshFolderOptions extends WorkspaceOptions {
  readonly kind: 'empty' | 'template';
}

/** A folder for each attempt: empty, or a copy of another one. */
export async function openFreshFolders(options: FreshFolderOptions): Promise<Workspaces> {
  const { kind, from, keep = 'never', measuresChanges = true } = options;
  if (kind === 'template') await requireFolder(from);
  const place = await openPlace(options);
  const comparison = measuresChanges ? await openComparison(place, kind === 'template' ? from : undefined) : undefined;
  let hasKept = false;
  return {
    async open(name): Promise<Workspace> {
      const path = await makeFolder(place, name);
      if (kind === 'template' && from !== undefined) await copyTemplate(from, path);
      return {
        cwd: path,
        async measure(): Promise<WorkspaceRecord> {
          const changes = await comparison?.compare(path).catch(() => undefined);
          return { kind, path, isKept: keep === 'always', ...(changes && { changes }) };
        },
        async release({ isFailure }) {
          const isKept = keep === 'always' || (keep === 'failed' && isFailure);
          if (isKept) hasKept = true;
          else await removeFolder(path).catch(() => {});
          return { isKept };
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await comparison?.remove();
      if (place.isTemporary && !hasKept) await removeFolder(place.path).catch(() => {});
    },
  };
}

async function requireFolder(path: string | undefined): Promise<void> {
  const facts = path === undefined ? undefined : await stat(path).catch(() => undefined);
  if (!facts?.isDirectory()) throw failed(`There is no folder ${path} to copy.`, undefined);
}

async function copyTemplate(from: string, to: string): Promise<void> {
  try {
    await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
  } catch (cause) {
    throw failed(`Cannot copy ${from}: ${(cause as Error).message}`, cause);
  }
}

interface Comparison {
  compare(path: string): ReturnType<typeof measureChanges>;
  remove(): Promise<void>;
}

/**
 * Compares folders with how they began. The repository for that lies beside them, so that an agent sees none that was not there. Undefined where there is no
 * git.
 */
async function openComparison(place: Place, from: string | undefined): Promise<Comparison | undefined> {
  const repository = await makeFolder(place, 'changes.git');
  const at = (cwd: string, index: string) => ({
    cwd,
    env: { GIT_DIR: repository, GIT_WORK_TREE: cwd, GIT_INDEX_FILE: join(repository, index) },
  });
  let count = 0;
  try {
    await git({ cwd: repository }, 'init', '--quiet', '--bare', '.');
    let base = EMPTY_TREE;
    if (from !== undefined) {
      await git(at(from, 'index-base'), 'add', '--all', '.');
      base = await git(at(from, 'index-base'), 'write-tree');
    }
    return {
      async compare(path) {
        if (from === undefined && (await readdir(path)).length === 0) return { files: [], insertions: 0, deletions: 0 };
        count += 1;
        return measureChanges(at(path, `index-${count}`), base);
      },
      remove: () => removeFolder(repository).catch(() => {}),
    };
  } catch {
    await removeFolder(repository).catch(() => {});
    return undefined;
  }
}

/** The tree without any file, which every repository knows. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
