import { openFreshFolders } from './fresh-folders.ts';
import { openSharedFolder } from './shared-folder.ts';
import type { WorkspaceOptions, Workspaces } from './workspace.ts';
import { openWorktrees } from './worktrees.ts';

/** Makes ready what attempts work in. `cwd`: the folder of the run. */
export async function openWorkspaces(options: WorkspaceOptions, cwd: string): Promise<Workspaces> {
  const { kind = 'shared', from = cwd } = options;
  switch (kind) {
    case 'shared':
      return openSharedFolder(from);
    case 'empty':
      return openFreshFolders({ ...options, kind });
    case 'template':
      return openFreshFolders({ ...options, kind, from });
    case 'worktree':
      return openWorktrees({ ...options, from });
  }
}
