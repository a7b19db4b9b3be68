import type { CloseReason, Transport } from '@parley/jsonrpc';
import type { ActivityListener } from './contract/activity.ts';
import type {
  AcceptedContent,
  AcceptedMcp,
  AuthCheck,
  AuthHandler,
  AuthMethodDefinition,
  CommandDefinition,
  DeleteHandler,
  ExtensionNotificationHandler,
  ExtensionRequestHandler,
  LogoutHandler,
  SessionHandler,
  SettingHandler,
} from './contract/definition.ts';
import type { ModeDefinition, OptionDefinition } from './contract/settings.ts';
import type { ToolDefinition } from './contract/tool-call.ts';
import type { PromptHandler } from './contract/turn.ts';
import type { ServeOptions } from './serve/serve.ts';
import type { ConnectionListener } from './serve/serve-listener.ts';

/**
 * An agent in the making, and then at work: what is registered is what clients are told of. The same agent serves any
 * number of connections; once it serves the first, nothing more can be registered.
 */
export interface Agent {
  /** Answers prompts. The one handler that every agent needs. */
  onPrompt(handler: PromptHandler): Agent;
  /** A way of working that the person can switch to; the first is the one sessions begin with. */
  mode(mode: ModeDefinition): Agent;
  /** Something the person can choose or switch in a session. */
  option(option: OptionDefinition): Agent;
  /** A slash command. Without a handler of its own it goes to `onPrompt`, where `turn.command` names it. */
  command(command: CommandDefinition, handler?: PromptHandler): Agent;
  /** What is known of a tool; a tool call that names it needs to say no more than what it is given. */
  tool(tool: ToolDefinition): Agent;
  /** Content that prompts may hold beyond text and links. */
  accepts(...content: readonly AcceptedContent[]): Agent;
  /** MCP servers that sessions may name beyond those on stdio. */
  acceptsMcp(...servers: readonly AcceptedMcp[]): Agent;
  /** A way to log in. A terminal method has no handler: the client runs it. */
  auth(method: AuthMethodDefinition, handler?: AuthHandler): Agent;
  /** Serves sessions only after a login. `check` lets those in who need none. */
  requireAuth(check?: AuthCheck): Agent;
  onLogout(handler: LogoutHandler): Agent;
  /** Prepares each session as it is opened, before the client hears that it is. */
  onSession(handler: SessionHandler): Agent;
  /** Hears of a mode or option that the person chose, before it takes effect. */
  onSetting(handler: SettingHandler): Agent;
  /** Hears of sessions that were deleted. */
  onDelete(handler: DeleteHandler): Agent;
  /** Answers a method of your own, `_vendor/method`. */
  onRequest(method: `_${string}`, handler: ExtensionRequestHandler): Agent;
  /** Takes a notification of your own, beside the handlers that take it already, after them. */
  onNotification(method: `_${string}`, handler: ExtensionNotificationHandler): Agent;
  /** Answers every method that is no part of the protocol and has no handler of its own, whatever its name. */
  onAnyRequest(handler: ExtensionRequestHandler): Agent;
  /** As `onAnyRequest`, for notifications. */
  onAnyNotification(handler: ExtensionNotificationHandler): Agent;
  /** Hears of sessions, turns and questions as they begin and end, whichever client they are of. Must not throw. Returns what ends it. */
  observe(listener: ActivityListener): () => void;
  /** Begins no more turns: prompts are refused with this message. Those that wait in a shared log stay there. */
  drain(message: string): void;
  /** Ends every turn that runs as interrupted: its client and the log are told why. Resolves when that is saved. */
  interrupt(message: string): Promise<void>;
  /**
   * Serves one client, or every client that a listener accepts. Resolves when the connection has ended, or the listener was
   * closed, and everything that was open is closed.
   */
  serve(wire: Transport | ConnectionListener, options?: ServeOptions): Promise<CloseReason>;
  /** Ends every connection and listener that it serves, cancels the turns that run, and closes the sessions. The store is whose it was. */
  close(): Promise<void>;
}
