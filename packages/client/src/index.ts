export type { ElicitationQuestion, PermissionQuestion, Question } from '@parley/session';
export * from '@parley/session/transcript';
export type { AcpServerOptions, McpRequest } from './acp-servers.ts';
export { type AgentAddress, type CommandAddress, formatAddress, type NetworkAddress, parseAddress } from './address.ts';
export type { AgentConnection, ConnectionCounts, ConnectionEvents, ConnectionState } from './agent-connection.ts';
export type { AgentEnd, AgentSource, AgentWire, Host, TerminalLogin } from './agent-source.ts';
export { type AuthOptions, credentialsFrom, terminalLoginOf } from './auth/auth-options.ts';
export type { Clock } from './clock.ts';
export { connect } from './connect.ts';
export type { ConnectOptions, ExtensionListener, Extensions } from './connect-options.ts';
export type { ClientDiagnostic, ClientDiagnosticKind } from './diagnostics.ts';
export type { ElicitationHandler, ElicitationOptions } from './elicitation/elicitation.ts';
export {
  AgentError,
  type AgentErrorCode,
  AuthRequiredError,
  CapabilityError,
  UsageError,
  type UsageErrorCode,
} from './errors.ts';
export { type ClientLimits, DEFAULT_CLIENT_LIMITS } from './limits.ts';
export {
  type McpServerConfig,
  type McpServerInput,
  selectMcpServers,
  toMcpServers,
} from './mcp-servers/mcp-servers.ts';
export type { Meta, SessionFilter, SessionPage } from './peer/agent-peer.ts';
export { chooseOption } from './permissions/choose-option.ts';
export type {
  Decision,
  PermissionAnswer,
  PermissionDecision,
  PermissionHandler,
  PermissionOptions,
  RuleLists,
} from './permissions/permission-options.ts';
export { DEFAULT_DEADLINES, type Deadlines, type Phase, type PhaseEvent } from './phases.ts';
export type { PromptContent } from './prompt-content.ts';
export { isRetryable, type RetryOptions, SAFE_TO_REPEAT, withRetry } from './retry.ts';
export { type RunOptions, type RunResult, run } from './run.ts';
export {
  type AppliedSettings,
  type ApplySettingsOptions,
  applySettings,
  findOption,
  type SessionSettings,
  type SettableSession,
} from './session/apply-settings.ts';
export type { ClientSession, MetaOptions, PromptOptions, SessionEvents } from './session.ts';
export type { SessionList } from './session-list.ts';
export type { SessionOptions } from './session-opener.ts';
export { listValues } from './session-options.ts';
export type { OnSessionLost } from './session-recovery.ts';
export type { SubagentUpdate } from './session-router.ts';
export {
  type AgentSettings,
  type ConfiguredAgent,
  readAgentAddress,
  readAgentSettings,
  type SettingsProblem,
} from './settings/agent-settings.ts';
export { parseJsonc } from './settings/parse-jsonc.ts';
export type {
  HostedTerminal,
  TerminalExit,
  TerminalHost,
  TerminalHostOptions,
  TerminalRequest,
} from './terminals/terminal-host.ts';
export { REDACTED, type RedactOptions, redact, redactText } from './trace/redact.ts';
export { formatTraceRecord, type TraceOptions, type TraceRecord } from './trace/trace.ts';
export type { Turn } from './turn.ts';
export type { TurnEvent } from './turn-event.ts';
export type { CancelOptions } from './turn-runner.ts';
export type { Providers } from './unstable-calls.ts';
export type { SilenceReport, WatchdogOptions } from './watchdog.ts';
export { createBuffers, type OpenBuffers } from './workspace/buffers.ts';
export { sliceLines } from './workspace/slice-lines.ts';
export {
  type Buffers,
  type ReadRequest,
  type Workspace,
  WorkspaceError,
  type WorkspaceErrorCode,
  type WorkspaceOptions,
  type WriteRequest,
} from './workspace/workspace.ts';
