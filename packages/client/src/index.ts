export type {
  AgentOffer,
  AgentOffers,
  FormQuestion,
  FormReply,
  PageQuestion,
  PermissionQuestion,
  Question,
} from '@parley/session';
export * from '@parley/session/transcript';
export { type AuthOptions, withSecrets } from './auth/auth-options.ts';
export type { Clock } from './clock.ts';
export type {
  AgentConnection,
  ConnectionCounts,
  ConnectionEvents,
  ConnectionState,
} from './connect/agent-connection.ts';
export { connect } from './connect/connect.ts';
export type { ConnectOptions } from './connect/connect-options.ts';
export type { ClientDiagnostic, ClientDiagnosticKind, ReportDiagnostic } from './diagnostics.ts';
export type { AgentEnd } from './errors.ts';
export {
  AgentError,
  type AgentErrorCode,
  AuthRequiredError,
  CapabilityError,
  UpdateError,
  type UpdateErrorCode,
  UsageError,
  type UsageErrorCode,
} from './errors.ts';
export { type ClientLimits, DEFAULT_CLIENT_LIMITS } from './limits.ts';
export { isRetryable, type RetryOptions, withRetry } from './link/retry.ts';
export type { SilenceReport, WatchdogOptions } from './link/silence-watchdog.ts';
export type { Providers } from './link/unstable-calls.ts';
export {
  type McpServerConfig,
  type McpServerInput,
  toMcpServers,
} from './mcp-servers/mcp-servers.ts';
export type { Meta, SessionFilter, SessionPage } from './peer/agent-peer.ts';
export type { ProtocolSetting } from './peer/versions.ts';
export type {
  Decision,
  PermissionAnswer,
  PermissionDecision,
  PermissionHandler,
  PermissionOptions,
  PermissionRelay,
  RuleLists,
} from './permissions/permission-options.ts';
export { DEFAULT_DEADLINES, type Deadlines, type Phase, type PhaseEvent } from './phase.ts';
export type { ElicitationHandler, ElicitationOptions } from './questions/elicitation.ts';
export { type RunOptions, type RunResult, run } from './run.ts';
export type { AcpServerOptions, McpRequest } from './services/acp-servers.ts';
export type { ExtensionListener, Extensions } from './services/service-options.ts';
export {
  type AppliedSettings,
  type ApplySettingsOptions,
  applySettings,
  findOption,
  type SessionSettings,
  type SettableSession,
} from './session/apply-settings.ts';
export { listValues } from './session/config-options.ts';
export type {
  ClientSession,
  MetaOptions,
  OnSessionLost,
  PromptOptions,
  SessionEvents,
  SessionOptions,
} from './session/session.ts';
export type { SessionList } from './session/session-list.ts';
export type { SubagentUpdate } from './session/session-router.ts';
export {
  type AgentSettings,
  type ConfiguredAgent,
  readAgentAddress,
  readAgentSettings,
  type SettingsProblem,
} from './settings/agent-settings.ts';
export {
  type AgentAddress,
  type CommandAddress,
  formatAddress,
  isNetworkAddress,
  type NetworkAddress,
  type NetworkKind,
  parseAddress,
} from './source/address.ts';
export type { AgentSource, AgentWire, Host, Redial, TerminalLogin } from './source/agent-source.ts';
export type {
  HostedTerminal,
  TerminalExit,
  TerminalHost,
  TerminalHostOptions,
  TerminalRequest,
  TerminalText,
} from './terminals/terminal-host.ts';
export type { TraceOptions } from './trace/trace.ts';
export type { PromptContent } from './turn/prompt-content.ts';
export type { CancelOptions, Turn } from './turn/turn.ts';
export { type TurnEvent, toTurnEvent } from './turn/turn-event.ts';
export { createBuffers, type OpenBuffers } from './workspace/buffers.ts';
export {
  type Buffers,
  type ReadRequest,
  type Workspace,
  WorkspaceError,
  type WorkspaceErrorCode,
  type WorkspaceOptions,
  type WriteRequest,
} from './workspace/workspace.ts';
