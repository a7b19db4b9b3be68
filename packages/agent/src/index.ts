export type { ClientOffers } from '@parley/session';
export type { ActivityListener, AgentActivity, RecordedActivity } from './activity.ts';
export type { Agent } from './agent.ts';
export { agent } from './agent-builder.ts';
export type {
  AcceptedContent,
  AcceptedMcp,
  AgentOptions,
  AuthCheck,
  AuthContext,
  AuthHandler,
  AuthMethodDefinition,
  CommandDefinition,
  DeletedSession,
  DeleteHandler,
  ExtensionContext,
  ExtensionNotificationHandler,
  ExtensionRequestHandler,
  LogoutHandler,
  SessionCleanup,
  SessionContext,
  SessionHandler,
  SettingContext,
  SettingHandler,
} from './definition.ts';
export type { AgentDiagnostic, AgentDiagnosticKind } from './diagnostics.ts';
export {
  AgentDefinitionError,
  type AgentErrorCode,
  CapabilityError,
  ClientRefusedError,
  InvalidAnswerError,
  LogFailedError,
  McpError,
  TurnAbortError,
  TurnError,
  TurnInterruptedError,
} from './errors.ts';
export { type AgentLimits, DEFAULT_AGENT_LIMITS } from './limits.ts';
export type { ClientInfo, ElicitationAnswer, McpCall, TerminalOutput } from './peer/client-peer.ts';
export {
  type ForwardNotification,
  type ForwardRequest,
  type ProxyHandlers,
  type ProxyMessage,
  type ServeProxyOptions,
  serveProxy,
} from './proxy/serve-proxy.ts';
export type { Provider, ProviderContext, ProviderHandlers, ProviderSetting } from './serve/providers.ts';
export { DEFAULT_PRINCIPAL, type ServeOptions } from './serve/serve.ts';
export type { ConnectionListener } from './serve/serve-listener.ts';
export type { NewQuestion } from './session/new-question.ts';
export type { Meta, Session } from './session/session.ts';
export type { SessionEnd } from './session/session-end.ts';
export type {
  ModeDefinition,
  OptionDefinition,
  OptionValue,
  OwnSettings,
  SelectDefinition,
  SwitchDefinition,
} from './session/settings.ts';
export type { AcpServer, SystemPrompt } from './session/setup.ts';
export type {
  Client,
  FormOptions,
  ReadTextFileOptions,
  TerminalOptions,
  UrlOptions,
} from './turn/client.ts';
export type { Compaction } from './turn/compaction.ts';
export type { AskPermissionOptions, PermissionDecision, PermissionSettings } from './turn/permission-settings.ts';
export type { NewShownTerminal, ShownTerminal, TerminalExit, TerminalSize } from './turn/shown-terminal.ts';
export type { Terminal, WaitOptions } from './turn/terminal.ts';
export type { NewToolCall, ToolCallChanges, ToolCallHandle } from './turn/tool-call.ts';
export type { ToolDefinition } from './turn/tool-definition.ts';
export type { InvokedCommand, PromptHandler, TokenCount, Turn, TurnResult, UserMessage } from './turn/turn.ts';
