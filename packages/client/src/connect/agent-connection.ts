import type { AgentCapabilities, AuthMethod, Implementation } from '@parley/protocol';
import type { AuthStatusResponse } from '@parley/protocol/unstable';
import type { AgentOffers, Question } from '@parley/session';
import type { ClientDiagnostic } from '../diagnostics.ts';
import type { Providers } from '../link/unstable-calls.ts';
import type { Meta, SessionFilter } from '../peer/agent-peer.ts';
import type { PhaseEvent } from '../phase.ts';
import type { ClientSession, MetaOptions, SessionOptions } from '../session/session.ts';
import type { SessionList } from '../session/session-list.ts';
import type { SubagentUpdate } from '../session/session-router.ts';
import type { TraceOptions } from '../trace/trace.ts';

/** A connection to one agent that has introduced itself. Close it, or hold it with `await using`. */
export interface AgentConnection extends AsyncDisposable {
  /** The agent as a person would write it: its command or address. */
  readonly agent: string;
  readonly agentInfo: Implementation | undefined;
  /** The version of ACP that is spoken; another one may be after a reconnect, if the agent is another one then. */
  readonly protocolVersion: number;
  /** What the agent offers, whatever version it speaks. */
  readonly offers: AgentOffers;
  /** The agent's offers as it worded them in `initialize`. */
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
  /** False where only answers come back, as on plain POST without a stream: no text, no tool call, no question. Settled by the first session. */
  readonly carriesUpdates: boolean;
  /** `_meta` of the agent's answer to `initialize`. */
  readonly meta: Meta | undefined;
  readonly state: ConnectionState;
  /** The open sessions by id. */
  readonly sessions: ReadonlyMap<string, ClientSession>;
  /** What the agent asked and nobody has answered yet, in all sessions. */
  readonly questions: readonly Question[];
  readonly counts: ConnectionCounts;
  /** Resolves when the connection has ended for good, with the error that ended it, if one did. */
  readonly closed: Promise<unknown>;
  /** Where the agent's models come from. Unstable. */
  readonly providers: Providers;

  /** Follows the connection. Returns a function that ends it. */
  on<Name extends keyof ConnectionEvents>(name: Name, listener: (value: ConnectionEvents[Name]) => void): () => void;

  newSession(options: SessionOptions): Promise<ClientSession>;

  /** Opens a stored session; its conversation is in the transcript when this resolves. */
  loadSession(sessionId: string, options: SessionOptions): Promise<ClientSession>;

  /** Opens a stored session without its conversation. */
  resumeSession(sessionId: string, options: SessionOptions): Promise<ClientSession>;

  /** A new session that knows what another one knew. */
  forkSession(sessionId: string, options: SessionOptions): Promise<ClientSession>;

  listSessions(filter?: Omit<SessionFilter, 'cursor'> & MetaOptions): SessionList;

  /** Removes a stored session for good; an open one is closed first. */
  deleteSession(sessionId: string, options?: MetaOptions): Promise<void>;

  /** Puts a stored session away; an open one is closed first. Unstable. */
  archiveSession(sessionId: string): Promise<void>;

  /** Brings a session back that was put away; it is listed again, and not opened. Unstable. */
  unarchiveSession(sessionId: string): Promise<void>;

  /** Whether the agent has a session `open` or only `saved`. Unstable. */
  sessionStatus(sessionId: string): Promise<string>;

  /** Gives a stored session a title; resolves with it as the agent has kept it. Unstable. */
  setSessionTitle(sessionId: string, title: string): Promise<string>;

  /** Whether the agent is logged in to; the event `auth` tells when that changes. Unstable. */
  authStatus(): Promise<AuthStatusResponse>;

  /** Logs in with one of `authMethods`. */
  authenticate(methodId: string, options?: MetaOptions): Promise<void>;

  logout(options?: MetaOptions): Promise<void>;

  /**
   * Answers an open question: a permission with a `PermissionAnswer`, a form or a page with a `FormReply`. False when it is
   * no longer open, because somebody else was first or the turn was cancelled.
   */
  answer(questionId: string, answer: unknown): boolean;

  /** Records every message from now on, through reconnects. Returns a function that ends it. */
  trace(options: TraceOptions): () => void;

  /** Sends a request that is not part of ACP. Aborting withdraws it. */
  request(method: string, params?: unknown, options?: { readonly signal?: AbortSignal }): Promise<unknown>;

  /** Sends a notification that is not part of ACP. */
  notify(method: string, params?: unknown): void;

  /**
   * Stops reading from the agent, which is slowed down thereby: for a consumer that cannot keep up. Nothing is lost, but
   * nothing comes either, answers included, until `resume`.
   */
  pause(): void;

  resume(): void;

  /** Ends all sessions and the agent itself. Resolves when nothing is left of it. */
  close(): Promise<void>;
}

export interface ConnectionEvents {
  phase: PhaseEvent;
  /** `connected`, `reconnecting` or `closed`. */
  state: ConnectionState;
  /** The agent asks something, in whatever session. */
  question: Question;
  diagnostic: ClientDiagnostic;
  /** The agent was logged in to, or out of. Unstable. */
  auth: AuthStatusResponse;
  /** Something happened in a session that a session of ours has made. Unstable. */
  subagent: SubagentUpdate;
}

export type ConnectionState = 'connected' | 'reconnecting' | 'closed';

/** How often the agent sent something that did not fit, and the connection went on. */
export interface ConnectionCounts {
  /** Updates for sessions that are not open here. */
  readonly foreignUpdates: number;
  /** Updates for a session to come that did not fit into the buffer. */
  readonly droppedUpdates: number;
  /** Lines on the agent's output that were not messages. */
  readonly noiseLines: number;
}
