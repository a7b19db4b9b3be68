import type { RequestOptions } from '@parley/jsonrpc';
import type { ElicitationSchema, TerminalExitStatus } from '@parley/protocol';
import type { ClientOffers } from '@parley/session';
import type { ClientInfo, ElicitationAnswer, McpCall, TerminalOutput } from './client-peer.ts';

export interface ReadTextFileOptions {
  /** The first line wanted, counted from 1. */
  readonly line?: number;
  /** How many lines are wanted. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface TerminalOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the client's choice, which is the session's working directory. */
  readonly cwd?: string;
  /** The client keeps this much of the output, its end. */
  readonly outputByteLimit?: number;
  readonly signal?: AbortSignal;
}

export interface FormOptions {
  readonly message: string;
  /** What to fill in. It must not ask for secrets. */
  readonly form: ElicitationSchema;
  /** The tool call that it is asked for. */
  readonly toolCallId?: string;
  readonly signal?: AbortSignal;
}

export interface UrlOptions {
  readonly message: string;
  /** A page the person is asked to visit. */
  readonly url: string;
  /** Names the question for `completeElicitation`. Default: a random id. */
  readonly elicitationId?: string;
  readonly toolCallId?: string;
  readonly signal?: AbortSignal;
}

/**
 * The client, as a turn sees it. A call that the client does not offer throws `CapabilityError` before anything is sent;
 * requests that are unanswered when the turn ends are cancelled.
 */
export interface Client {
  readonly offers: ClientOffers;
  readonly info: ClientInfo | undefined;
  /** Reads a file as the client sees it, unsaved changes included. A relative path starts at the session's cwd. */
  readTextFile(path: string, options?: ReadTextFileOptions): Promise<string>;
  writeTextFile(path: string, content: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
  createTerminal(options: TerminalOptions): Promise<Terminal>;
  /** Asks the person for something: to fill in a form, or to visit a page. */
  elicit(options: FormOptions | UrlOptions): Promise<ElicitationAnswer>;
  /** Tells the client that what a page was opened for is done. */
  completeElicitation(elicitationId: string): void;
  /** Asks an MCP server that the client itself provides (`session.acpServers`); throws `McpError` for the server's own. Unstable. */
  callMcp(call: McpCall, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
  /** Sends a request of your own, `_vendor/method`. Nothing about it is checked. */
  request<Result = unknown>(method: string, params?: unknown, options?: RequestOptions): Promise<Result>;
  notify(method: string, params?: unknown): void | Promise<void>;
  /** Whoever is the client now, also when another one takes its place, or the session ends: for what it has and others do not know. */
  current(): Client;
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** Gives up waiting; the command goes on. Default: wait for as long as the turn lasts. */
  readonly timeoutMs?: number;
}

/** A command that runs at the client. It is released at the end of `await using`, and at the latest with its turn. */
export interface Terminal extends AsyncDisposable {
  readonly id: string;
  /** What it has written so far. */
  output(): Promise<TerminalOutput>;
  waitForExit(options?: WaitOptions): Promise<TerminalExitStatus>;
  /** Stops the command; its output and exit stay readable. */
  kill(): Promise<void>;
  /** Stops the command if it runs, and gives the terminal back. Doing it twice is fine. */
  release(): Promise<void>;
}
