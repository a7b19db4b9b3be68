import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasUncommittedChanges, openWorkspaces } from '@parley/harness/workspaces';
import { CliError, usageError } from '@parley/host/command-line';
import { ParleyError } from '@parley/jsonrpc';

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
export interface Repository extends AsyncDisposable {
  readonly hasUncommitted: boolean;
  open(): Promise<Worktree>;
}

/** The repository that a folder belongs to. */
export async function findRepository(cwd: string): Promise<Repository> {
  const workspaces = await openWorkspaces({ kind: 'worktree', patches: 'whole' }, cwd).catch((error: unknown) => {
    if (!(error instanceof ParleyError && error.code === 'workspace_failed')) throw error;
    throw usageError(`--worktree cannot be used: ${error.message}`);
  });
  return {
    hasUncommitted: await hasUncommittedChanges(cwd),
    async open() {
      const workspace = await workspaces.open('worktree');
      return {
        cwd: workspace.cwd,
        async measure(patch) {
          const { changes } = await workspace.measure();
          if (!changes) throw new CliError('not_available', 'Git could not measure the changes of the agent.');
          const { files, insertions, deletions, patch: text } = changes;
          if (text !== undefined) await write(patch, text);
          return { files: files.length, insertions, deletions, patch: text === undefined ? null : patch };
        },
        async [Symbol.asyncDispose]() {
          await workspace.release({ isFailure: false });
        },
      };
    },
    [Symbol.asyncDispose]: () => workspaces[Symbol.asyncDispose](),
  };
}

async function write(patch: string, text: string): Promise<void> {
  await mkdir(dirname(patch), { recursive: true, mode: 0o700 });
  await writeFile(patch, text, { mode: 0o600 });
}
