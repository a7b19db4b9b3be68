export { openWorkspaces } from './open-workspaces.ts';
export type { Workspace, WorkspaceOptions, Workspaces } from './workspace.ts';
export { hasUncommittedChanges } from './worktrees.ts';
