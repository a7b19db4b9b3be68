import type { RequestOptions } from '@parley/jsonrpc';
import type { TerminalExitStatus } from '@parley/protocol';
import type { Answer, ClientOffers, NewFormQuestion, Question, SessionEvent } from '@parley/session';

/** Who is at the far end. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string | null;
}

/**
 * One client at the far end of a connection: all that sessions and turns need of a wire. Each version of the protocol
 * has its own; nothing behind this contract knows which one it is.
 */
export interface ClientPeer {
  readonly offers: ClientOffers;
  readonly info: ClientInfo | undefined;
  /** Is shown the prompts of its own as part of the conversation; other clients know what they have sent. */
  readonly hearsOwnPrompts: boolean;
  /** Shows an event of a session, unless the client has no word for it. Must not throw when the client is gone. */
  publish(sessionId: string, event: SessionEvent, seq?: number): void | Promise<void>;
  /** Forgets what it knows of a session that this client has no longer open, or is told of anew. */
  forget(sessionId: string): void;
  /** As `forget`, for a client that goes on where it was cut off: it knows what came before. */
  resume(sessionId: string): void;

  /** Puts a question of a session to the person. Aborting withdraws it. */
  ask(sessionId: string, question: Question, options: RequestOptions): Promise<Answer>;
  readTextFile(file: ReadFile, options: RequestOptions): Promise<string>;
  writeTextFile(file: WriteFile, options: RequestOptions): Promise<void>;
  createTerminal(terminal: NewTerminal, options: RequestOptions): Promise<string>;
  terminalOutput(terminal: TerminalKey, options: RequestOptions): Promise<TerminalOutput>;
  waitForTerminalExit(terminal: TerminalKey, options: RequestOptions): Promise<TerminalExitStatus>;
  killTerminal(terminal: TerminalKey, options: RequestOptions): Promise<void>;
  releaseTerminal(terminal: TerminalKey, options: RequestOptions): Promise<void>;
  elicit(scope: ElicitationScope, question: NewFormQuestion, options: RequestOptions): Promise<ElicitationAnswer>;
  completeElicitation(elicitationId: string): void;

  /** Asks an MCP server that the client itself provides. Unstable. */
  callMcp(call: McpCall, options: RequestOptions): Promise<unknown>;

  /** Anything else the two sides have agreed on. */
  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown>;
  notify(method: string, params?: unknown): void | Promise<void>;
}

/** One request to an MCP server that the client provides. */
export interface McpCall {
  readonly serverId: string;
  /** The MCP method: `tools/list`. */
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** Hears of what the server tells while it works on the request. */
  readonly onNotification?: ((method: string, params: unknown) => void) | undefined;
}

export interface ReadFile {
  readonly sessionId: string;
  readonly path: string;
  readonly line?: number | undefined;
  readonly limit?: number | undefined;
}

export interface WriteFile {
  readonly sessionId: string;
  readonly path: string;
  readonly content: string;
}

export interface NewTerminal {
  readonly sessionId: string;
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  readonly outputByteLimit?: number | undefined;
}

export interface TerminalKey {
  readonly sessionId: string;
  readonly terminalId: string;
}

export interface TerminalOutput {
  readonly output: string;
  /** Whether the beginning was cut off to keep within the limit. */
  readonly truncated: boolean;
  /** Only there once the command has ended. */
  readonly exitStatus?: TerminalExitStatus;
}

export type ElicitationScope =
  | { readonly sessionId: string; readonly toolCallId?: string }
  | { readonly requestId: string | number | null };

export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };
