import type { AvailableCommand, McpServer } from '@parley/protocol';
import type { Answer, FormQuestion, PageQuestion, PermissionQuestion, SessionEvent } from '@parley/session';
import type { Client } from './client.ts';
import type { OptionValue, OwnSettings } from './settings.ts';
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
  /** The client whose prompt runs, or else one that has the session open; it offers nothing while there is none. */
  readonly client: Client;
  /** A place for the agent's own data about the session. It is saved at the end of each turn, so keep to JSON values. */
  readonly state: Record<string, unknown>;

  /**
   * Everything that happened, oldest first, the current prompt included. A turn that ended in a refusal is left out, as
   * the protocol wants it.
   */
  history(): AsyncIterable<SessionEvent>;
  /** Tells the clients something outside a turn, or in one. Returns a promise only when it is better to wait. */
  update(event: SessionEvent): void | Promise<void>;
  /**
   * Tells clients that know of such what happens in a session that this one has made, after all that was said here. It is not in
   * the log, and a client that does not read misses it. Unstable.
   */
  updateChild(childId: string, event: SessionEvent): void;
  setMode(modeId: string): void;
  setOption(optionId: string, value: OptionValue): void;
  setTitle(title: string | null): void;
  setCommands(commands: readonly AvailableCommand[]): void;
  /**
   * Gives this session modes and options of its own, in place of the agent's; clients are told of them as they stand, and find
   * them again when they load it. Needs `agent({ sessionSettings: true })`.
   */
  setSettings(settings: OwnSettings): void;
  /**
   * Puts a question to every client that has the session open, in your own words; the first answer counts. No rule is asked
   * before: `turn.askPermission` does that.
   */
  ask(question: NewQuestion, options?: { readonly signal?: AbortSignal }): Promise<Answer>;
  /** Writes `state` now, where the end of the turn is too late. */
  save(): Promise<void>;
  /** Resolves when the log has all events so far and the clients were sent them; undefined when that is done. */
  whenShown(): Promise<void> | undefined;
  /**
   * Reserves the session for this process until it is disposed, so that prompts of other processes run here. Undefined while another
   * process works in the session.
   */
  reserve(): Promise<AsyncDisposable | undefined>;
}

/** A question before it has an id. */
export type NewQuestion =
  | Omit<PermissionQuestion, 'questionId'>
  | Omit<FormQuestion, 'questionId'>
  | Omit<PageQuestion, 'questionId'>;

/**
 * Why a session is closed: `closed` by a client that asked for it, `left` by the last client, which is gone, `deleted` or put
 * away, or `reopened` with another setup.
 */
export type SessionEnd = 'closed' | 'left' | 'deleted' | 'reopened';
