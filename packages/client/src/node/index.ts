export { type EnvironmentAuth, environmentAuth } from './environment-auth.ts';
export { type NetworkAgentOptions, networkAgent } from './network-agent.ts';
export { nodeHost } from './node-host.ts';
export { createNodeTerminals } from './node-terminals.ts';
export { createNodeWorkspace } from './node-workspace.ts';
export { throughProxies } from './proxies/through-proxies.ts';
export {
  knownSettingsFiles,
  loadAgentSettings,
  loadMcpConfig,
  type McpConfig,
  readMcpConfig,
} from './settings-files.ts';
export { agentAt, type SpawnAgentOptions, spawnAgent } from './spawn-agent.ts';
export { type TraceFile, traceToFile } from './trace-file.ts';
