import type { AvailableCommand, McpServer } from '@parley/protocol';
import type { SessionEvent } from '@parley/session';
import type { OptionValue } from './settings.ts';
import type { AcpServer, SystemPrompt } from './setup.ts';

/** `_meta` of the wire, carried through. */
export type Meta = Readonly<Record<string, unknown>>;

/** One conversation. It lives in the agent's log; this is it while at least one client has it open. */
export interface Session {
  readonly id: string;
  readonly principal: string;
  /** The base of relative paths, and always an absolute path itself. */
  readonly cwd: string;
  /** Where the agent's files are: the cwd, and what the client added to it. */
  readonly roots: readonly string[];
  /** The MCP servers that the client asks the agent to use; given anew each time the session is opened. */
  readonly mcpServers: readonly McpServer[];
  /** The MCP servers that the client itself provides; `client.callMcp` reaches them. Unstable. */
  readonly acpServers: readonly AcpServer[];
  /** Instructions that the client gives, where the agent takes them (`agent({ systemPrompt })`). Unstable. */
  readonly systemPrompt: SystemPrompt | undefined;
  readonly title: string | null;
  readonly isRunning: boolean;
  /** Undefined when the agent has no modes. */
  readonly mode: string | undefined;
  /** The value of each of the agent's options. */
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly commands: readonly AvailableCommand[];
  /** A place for the agent's own data about the session. It is saved at the end of each turn, so keep to JSON values. */
  readonly state: Record<string, unknown>;

  /**
   * Everything that happened, oldest first, the current prompt included. A turn that ended in a refusal is left out, as
   * the protocol wants it.
   */
  history(): AsyncIterable<SessionEvent>;
  /** Tells the clients something outside a turn, or in one. Returns a promise only when it is better to wait. */
  update(event: SessionEvent): void | Promise<void>;
  setMode(modeId: string): void;
  setOption(optionId: string, value: OptionValue): void;
  setTitle(title: string | null): void;
  setCommands(commands: readonly AvailableCommand[]): void;
}
