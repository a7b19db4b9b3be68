export type { ClientOffers } from '@parley/session';
export type { Agent } from './agent.ts';
export { agent } from './agent-builder.ts';
export type { ActivityListener, AgentActivity, RecordedActivity } from './contract/activity.ts';
export type {
  Client,
  FormOptions,
  ReadTextFileOptions,
  Terminal,
  TerminalOptions,
  UrlOptions,
  WaitOptions,
} from './contract/client.ts';
export type { ClientInfo, ElicitationAnswer, McpCall, TerminalOutput } from './contract/client-peer.ts';
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
} from './contract/definition.ts';
export type { AskPermissionOptions, PermissionDecision, PermissionSettings } from './contract/permission-settings.ts';
export type { Provider, ProviderContext, ProviderHandlers, ProviderSetting } from './contract/providers.ts';
export type { Meta, NewQuestion, Session, SessionEnd } from './contract/session.ts';
export type {
  ModeDefinition,
  OptionDefinition,
  OptionValue,
  OwnSettings,
  SelectDefinition,
  SwitchDefinition,
} from './contract/settings.ts';
export type { AcpServer, SystemPrompt } from './contract/setup.ts';
export type { NewToolCall, ToolCallChanges, ToolCallHandle, ToolDefinition } from './contract/tool-call.ts';
export type {
  Compaction,
  InvokedCommand,
  NewShownTerminal,
  PromptHandler,
  ShownTerminal,
  TerminalExit,
  TerminalSize,
  TokenCount,
  Turn,
  TurnResult,
  UserMessage,
} from './contract/turn.ts';
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
export {
  type ForwardNotification,
  type ForwardRequest,
  type ProxyHandlers,
  type ProxyMessage,
  type ServeProxyOptions,
  serveProxy,
} from './proxy/serve-proxy.ts';
export { DEFAULT_PRINCIPAL, type ServeOptions } from './serve/serve.ts';
export type { ConnectionListener } from './serve/serve-listener.ts';
