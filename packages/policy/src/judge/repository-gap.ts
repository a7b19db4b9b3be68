import type { CommandPart } from '../shell/analysis.ts';
import { findRepository, physicalPath } from '../workspace/disk.ts';
import { isInWorkspace } from '../workspace/paths.ts';
import type { Policy } from './policy.ts';

/** Why git may find settings, which run programs, in another place than the workspace's own repository; undefined where it does not. */
export function repositoryGap({ workspace }: Policy, { directories }: CommandPart): string | undefined {
  const { cwd, additionalDirectories = [], realPath, listFolder } = workspace;
  if (directories === undefined) return 'it runs in a folder that is only known then';
  const roots = [cwd, ...additionalDirectories];
  for (const directory of directories) {
    if (roots.includes(directory)) continue;
    if (realPath === undefined || listFolder === undefined) return 'there is no disk to look at for other repositories';
    const real = physicalPath('/', directory, realPath);
    if (!isInWorkspace(workspace, real)) return `${directory} is outside the workspace`;
    const found = findRepository(directory, roots, workspace) ?? findRepository(real, roots, workspace);
    if (found !== undefined) return `${found} may be a repository of its own, whose settings can run programs`;
  }
  return undefined;
}
