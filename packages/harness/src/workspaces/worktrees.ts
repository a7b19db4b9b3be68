import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkspaceRecord } from '../formats/attempt.ts';
import { git } from './git.ts';
import { measureChanges } from './measure-changes.ts';
import { failed, isAlive, makeFolder, openPlace, removeFolder } from './places.ts';
import type { Workspace, WorkspaceOptions, Workspaces } from './workspace.ts';

/** A git worktree for each attempt, all of the same commit. */
export async function openWorktrees(options: WorkspaceOptions & { readonly from: string }): Promise<Workspaces> {
  const { from, commit: wanted = 'HEAD', keep = 'never', measuresChanges = true, patches } = options;
  const root = await git({ cwd: from }, 'rev-parse', '--show-toplevel').catch((cause: unknown) => {
    throw failed(`${from} is in no git repository, so there can be no worktree of it.`, cause);
  });
  const commit = await git({ cwd: from }, 'rev-parse', '--verify', `${wanted}^{commit}`).catch((cause: unknown) => {
    throw failed(`The repository of ${from} has no commit ${wanted} for worktrees to begin from.`, cause);
  });
  const prefix = await git({ cwd: from }, 'rev-parse', '--show-prefix');
  await removeAbandoned(root);
  const place = await openPlace(options);
  let hasKept = false;
  let last: Promise<unknown> = Promise.resolve();
  /** Two at once would fight for the repository's lock. */
  const oneByOne = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  return {
    async open(name): Promise<Workspace> {
      const path = await makeFolder(place, name);
      await oneByOne(() => git({ cwd: root }, 'worktree', 'add', '--detach', '--quiet', path, commit)).catch(
        (cause: unknown) => {
          throw failed(`Cannot make a worktree at ${path}: ${(cause as Error).message}`, cause);
        },
      );
      return {
        cwd: join(path, prefix),
        async measure(): Promise<WorkspaceRecord> {
          const changes = measuresChanges
            ? await measureChanges({ cwd: path }, commit, patches).catch(() => undefined)
            : undefined;
          return { kind: 'worktree', path, isKept: keep === 'always', ...(changes && { changes }) };
        },
        async release({ isFailure }) {
          const isKept = keep === 'always' || (keep === 'failed' && isFailure);
          if (isKept) hasKept = true;
          else await oneByOne(() => removeWorktree(root, path));
          return { isKept };
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await last;
      if (place.isTemporary && !hasKept) await removeFolder(place.path).catch(() => {});
    },
  };
}

/** Whether the repository of a folder has changes that no worktree gets, since nobody has committed them. */
export async function hasUncommittedChanges(folder: string): Promise<boolean> {
  const root = await git({ cwd: folder }, 'rev-parse', '--show-toplevel');
  return (await git({ cwd: root }, 'status', '--porcelain')) !== '';
}

async function removeWorktree(root: string, path: string): Promise<void> {
  await git({ cwd: root }, 'worktree', 'remove', '--force', path).catch(() => {});
  await removeFolder(path).catch(() => {});
}

/** A run that was killed could not remove its worktrees; the folder's name tells whose they were. */
async function removeAbandoned(root: string): Promise<void> {
  const list = await git({ cwd: root }, 'worktree', 'list', '--porcelain').catch(() => '');
  for (const [, path = '', pid = ''] of list.matchAll(/^worktree (.*[/\\]parley-eval-(\d+)-\w+[/\\][^/\\\n]+)$/gm)) {
    if (!isAlive(Number(pid))) await removeWorktree(root, path);
  }
  if ([...list.matchAll(/^worktree (.*[/\\]parley-eval-.*)$/gm)].some(([, path = '']) => !existsSync(path))) {
    await git({ cwd: root }, 'worktree', 'prune').catch(() => {});
  }
}
