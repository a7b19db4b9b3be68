export {
  createGuardedFiles,
  type DirectoryEntry,
  type GuardedFiles,
  type GuardedFilesOptions,
} from './files/guarded-files.ts';
export { createNodeWorkspace } from './files/node-workspace.ts';
export { nodeHost } from './node-host.ts';
export { agentAt, type SpawnAgentOptions, spawnAgent } from './spawn-agent.ts';
export { createNodeTerminals } from './terminals/node-terminals.ts';
