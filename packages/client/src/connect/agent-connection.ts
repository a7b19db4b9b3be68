import {
  type AgentCapabilities,
  type AuthMethod,
  canDeleteSession,
  canListSessions,
  canLogout,
  type Implementation,
} from '@parley/protocol';
import type { AuthStatusResponse } from '@parley/protocol/unstable';
import type { Question } from '@parley/session';
import type { ClientDiagnostic } from '../diagnostics.ts';
import type { Meta, SessionFilter } from '../peer/agent-peer.ts';
import type { ClientSession, MetaOptions } from '../session/live-session.ts';
import { createSessionList, type SessionList } from '../session/session-list.ts';
import type { SessionOptions } from '../session/session-opener.ts';
import type { SubagentUpdate } from '../session/session-router.ts';
import type { TraceOptions } from '../trace/trace.ts';
import type { ConnectionCore } from './connection-core.ts';
import type { PhaseEvent } from './link/phases.ts';
import { requireCapability } from './require-capability.ts';
import type { Providers } from './unstable-calls.ts';

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

/** What did not fit and was lived through. */
export interface ConnectionCounts {
  /** Updates for sessions that are not open here. */
  readonly foreignUpdates: number;
  /** Updates for a session to come that did not fit into the buffer. */
  readonly droppedUpdates: number;
  /** Lines on the agent's output that were not messages. */
  readonly noiseLines: number;
}

/** A connection to one agent that has introduced itself. Close it, or hold it with `await using`. */
export class AgentConnection implements AsyncDisposable {
  readonly #core: ConnectionCore;

  constructor(core: ConnectionCore) {
    this.#core = core;
  }

  /** The agent as a person would write it: its command or address. */
  get agent(): string {
    return this.#core.source.name;
  }

  get agentInfo(): Implementation | undefined {
    return this.#core.facts.agentInfo;
  }

  get protocolVersion(): number {
    return this.#core.facts.protocolVersion;
  }

  /** What the agent can do; omitted means it cannot. */
  get capabilities(): AgentCapabilities {
    return this.#core.facts.capabilities;
  }

  get authMethods(): readonly AuthMethod[] {
    return this.#core.facts.authMethods;
  }

  /** `_meta` of the agent's answer to `initialize`. */
  get meta(): Meta | undefined {
    return this.#core.facts.meta;
  }

  get state(): ConnectionState {
    return this.#core.state;
  }

  /** The open sessions by id. */
  get sessions(): ReadonlyMap<string, ClientSession> {
    return this.#core.sessions;
  }

  /** What the agent asked and nobody has answered yet, in all sessions. */
  get questions(): readonly Question[] {
    return this.#core.services.desk.questions;
  }

  get counts(): ConnectionCounts {
    const { foreign, dropped } = this.#core.router.counts;
    return { foreignUpdates: foreign, droppedUpdates: dropped, noiseLines: this.#core.inspect().noiseLines ?? 0 };
  }

  /** Resolves when the connection has ended for good, with the error that ended it, if one did. */
  get closed(): Promise<unknown> {
    return this.#core.closed;
  }

  on<Name extends keyof ConnectionEvents>(name: Name, listener: (value: ConnectionEvents[Name]) => void): () => void {
    return this.#core.emitter.on(name, listener);
  }

  newSession(options: SessionOptions): Promise<ClientSession> {
    return this.#core.opener.create(options);
  }

  /** Opens a stored session; its conversation is in the transcript when this resolves. */
  loadSession(sessionId: string, options: SessionOptions): Promise<ClientSession> {
    return this.#core.opener.open('session/load', sessionId, options);
  }

  /** Opens a stored session without its conversation. */
  resumeSession(sessionId: string, options: SessionOptions): Promise<ClientSession> {
    return this.#core.opener.open('session/resume', sessionId, options);
  }

  /** A new session that knows what another one knew. */
  forkSession(sessionId: string, options: SessionOptions): Promise<ClientSession> {
    return this.#core.opener.fork(sessionId, options);
  }

  listSessions({ meta, ...filter }: Omit<SessionFilter, 'cursor'> & MetaOptions = {}): SessionList {
    requireCapability(this.capabilities, 'session/list', canListSessions, 'sessionCapabilities.list');
    return createSessionList(filter, (page) =>
      this.#core.call('session/list', (peer, options) => peer.listSessions(page, options), meta),
    );
  }

  /** Removes a stored session for good; an open one is closed first. */
  async deleteSession(sessionId: string, { meta }: MetaOptions = {}): Promise<void> {
    requireCapability(this.capabilities, 'session/delete', canDeleteSession, 'sessionCapabilities.delete');
    await this.sessions.get(sessionId)?.close();
    await this.#core.call('session/delete', (peer, options) => peer.deleteSession(sessionId, options), meta);
  }

  /** Puts a stored session away; an open one is closed first. Unstable. */
  async archiveSession(sessionId: string): Promise<void> {
    await (this.sessions.get(sessionId)?.archive() ?? this.#core.unstable.archive(sessionId));
  }

  /** Brings a session back that was put away; it is listed again, and not opened. Unstable. */
  unarchiveSession(sessionId: string): Promise<void> {
    return this.#core.unstable.unarchive(sessionId);
  }

  /** Whether the agent has a session `open` or only `saved`. Unstable. */
  sessionStatus(sessionId: string): Promise<string> {
    return this.#core.unstable.status(sessionId);
  }

  /** Gives a stored session a title; resolves with it as the agent has kept it. Unstable. */
  setSessionTitle(sessionId: string, title: string): Promise<string> {
    return this.sessions.get(sessionId)?.setTitle(title) ?? this.#core.unstable.setTitle(sessionId, title);
  }

  /** Whether the agent is logged in to; the event `auth` tells when that changes. Unstable. */
  authStatus(): Promise<AuthStatusResponse> {
    return this.#core.unstable.authStatus();
  }

  /** Where the agent's models come from. Unstable. */
  get providers(): Providers {
    return this.#core.unstable.providers;
  }

  /** Logs in with one of `authMethods`. */
  authenticate(methodId: string, { meta }: MetaOptions = {}): Promise<void> {
    return this.#core.authentication.authenticate(methodId, meta);
  }

  async logout({ meta }: MetaOptions = {}): Promise<void> {
    requireCapability(this.capabilities, 'logout', canLogout, 'auth.logout');
    await this.#core.call('logout', (peer, options) => peer.logout(options), meta);
  }

  /**
   * Answers an open question: a permission with a `PermissionAnswer`, an elicitation with its response. False when it is
   * no longer open, because somebody else was first or the turn was cancelled.
   */
  answer(questionId: string, answer: unknown): boolean {
    return this.#core.services.desk.answer(questionId, answer);
  }

  /** Records every message from now on. Returns a function that ends it. */
  trace(options: TraceOptions): () => void {
    return this.#core.trace(options);
  }

  /** Sends a request that is not part of ACP. */
  request(method: string, params?: unknown): Promise<unknown> {
    return this.#core.call(method, (peer, options) => peer.connection.request(method, params, options));
  }

  /** Sends a notification that is not part of ACP. */
  notify(method: string, params?: unknown): void {
    void this.#core.peer.connection.notify(method, params);
  }

  /**
   * Stops reading from the agent, which is slowed down thereby: for a consumer that cannot keep up. Nothing is lost, but
   * nothing comes either, answers included, until `resume`.
   */
  pause(): void {
    this.#core.links.pause();
  }

  resume(): void {
    this.#core.links.resume();
  }

  /** Ends all sessions and the agent itself. Resolves when nothing is left of it. */
  close(): Promise<void> {
    return this.#core.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
