export { type EnvironmentAuth, environmentAuth } from './environment-auth.ts';
export {
  createGuardedFiles,
  type DirectoryEntry,
  type GuardedFiles,
  type GuardedFilesOptions,
} from './files/guarded-files.ts';
export { createNodeWorkspace } from './files/node-workspace.ts';
export { nodeHost } from './node-host.ts';
export { throughProxies } from './proxies/through-proxies.ts';
export {
  knownSettingsFiles,
  loadAgentSettings,
  loadMcpConfig,
  type McpConfig,
  readMcpConfig,
} from './settings-files.ts';
export { agentAt, type SpawnAgentOptions, spawnAgent } from './spawn-agent.ts';
export { createNodeTerminals } from './terminals/node-terminals.ts';
export { type TraceFile, traceToFile } from './trace-file.ts';
