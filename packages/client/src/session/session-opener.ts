import { isAbsolutePath, parseContent } from '@parley/protocol';
import type { Authentication } from '../auth/authentication.ts';
import type { ReportDiagnostic } from '../diagnostics.ts';
import { UsageError } from '../errors.ts';
import type { AgentCalls } from '../link/agent-calls.ts';
import { requireOffer } from '../link/agent-calls.ts';
import { selectMcpServers } from '../mcp-servers/mcp-servers.ts';
import type {
  AgentPeer,
  CallOptions,
  OpenedSession,
  ReopenOptions,
  SessionSettings,
  SessionSetup,
  SystemPrompt,
} from '../peer/agent-peer.ts';
import { LiveSession } from './live-session.ts';
import type { SessionOptions } from './session.ts';
import type { SessionConnection } from './session-connection.ts';
import type { SessionRouter } from './session-router.ts';

/** What we do for the agent, as far as it ends with a session. */
export interface SessionServices {
  readonly questions: { cancel(sessionId: string): void };
  endSession(sessionId: string): Promise<void>;
}

/** The parts of a connection that open sessions. */
export interface SessionOpenerParts {
  /** What the sessions hold. */
  readonly connection: SessionConnection;
  readonly calls: AgentCalls;
  /** The open sessions by id. */
  readonly sessions: Map<string, LiveSession>;
  readonly router: SessionRouter;
  readonly authentication: Authentication;
  readonly services: SessionServices;
  readonly report: ReportDiagnostic;
}

/** Opens sessions: new ones, stored ones, and those of a connection that was lost. */
export class SessionOpener {
  readonly #parts: SessionOpenerParts;

  constructor(parts: SessionOpenerParts) {
    this.#parts = parts;
  }

  create(options: SessionOptions): Promise<LiveSession> {
    return this.#begin('session/new', options, (peer, setup, call) => peer.newSession(setup, call));
  }

  async fork(sessionId: string, options: SessionOptions): Promise<LiveSession> {
    requireOffer(this.#parts.calls.facts, 'forkSession', 'session/fork');
    return await this.#begin('session/fork', options, (peer, setup, call) => peer.forkSession(sessionId, setup, call));
  }

  async open(
    method: 'session/load' | 'session/resume',
    sessionId: string,
    options: SessionOptions,
  ): Promise<LiveSession> {
    const { connection, calls, sessions, router } = this.#parts;
    requireOffer(calls.facts, method === 'session/load' ? 'loadSession' : 'resumeSession', method);
    if (sessions.has(sessionId)) throw new UsageError('unknown_choice', `Session ${sessionId} is open already.`);
    const session = new LiveSession(sessionId, this.#setup(options), connection);
    if (options.follow) session.on('event', options.follow);
    try {
      options.onOpening?.(session);
      await this.reopen(session, method);
      sessions.set(sessionId, session);
      return session;
    } catch (error) {
      router.remove(sessionId, session);
      throw error;
    }
  }

  /** Opens a stored session into an object that exists; what the agent tells again is joined with what it has. */
  async reopen(session: LiveSession, method: 'session/load' | 'session/resume'): Promise<void> {
    const { calls, router, authentication } = this.#parts;
    session.startReplay(method === 'session/load');
    router.add(session.id, session);
    try {
      session.opened(await authentication.around(() => calls.runPhase(method, openBy(method, session))));
    } catch (error) {
      session.notOpened();
      throw error;
    }
  }

  /** Opens a session again for which the agent tells only what came behind the last event that we have. */
  async goOn(session: LiveSession, method: 'session/load' | 'session/resume'): Promise<void> {
    const { calls, authentication } = this.#parts;
    session.goOn();
    const open = openBy(method, session);
    // Never repeated by itself: by then there is more that we have.
    const settings = await authentication.around(() =>
      calls.once((link) => link.runPhase(method, (signal) => open(link.peer, { signal, after: session.cursor })), {
        method,
        phase: method,
      }),
    );
    session.opened(settings);
  }

  /** Makes a new session for an object whose own the agent has lost. */
  async recreate(session: LiveSession): Promise<void> {
    const { calls, sessions, router, authentication, services } = this.#parts;
    const lost = session.id;
    const stopExpecting = router.expect();
    try {
      const opened = await authentication.around(() =>
        calls.runPhase('session/new', (peer, call) => peer.newSession(session.setup, call)),
      );
      await services.endSession(lost);
      router.remove(lost, session);
      sessions.delete(lost);
      session.moveTo(opened.sessionId);
      session.begin();
      sessions.set(session.id, session);
      session.opened(opened);
      router.add(session.id, session);
    } finally {
      stopExpecting();
    }
  }

  async #begin(
    method: 'session/new' | 'session/fork',
    options: SessionOptions,
    open: (peer: AgentPeer, setup: SessionSetup, call: CallOptions) => Promise<OpenedSession>,
  ): Promise<LiveSession> {
    const { connection, calls, sessions, router, authentication } = this.#parts;
    const setup = this.#setup(options);
    const stopExpecting = router.expect();
    try {
      const opened = await authentication.around(() => calls.runPhase(method, (peer, call) => open(peer, setup, call)));
      const session = new LiveSession(opened.sessionId, setup, connection);
      if (options.follow) session.on('event', options.follow);
      // What a fork has in common with another session is not told.
      if (method === 'session/new') session.begin();
      sessions.set(session.id, session);
      session.opened(opened);
      router.add(session.id, session);
      return session;
    } finally {
      stopExpecting();
    }
  }

  #setup(options: SessionOptions): SessionSetup {
    const { cwd, additionalDirectories = [], mcpServers = [], meta } = options;
    const { calls, connection, report } = this.#parts;
    const { facts } = calls;
    for (const path of [cwd, ...additionalDirectories]) {
      if (!isAbsolutePath(path))
        throw new UsageError('invalid_path', `"${path}" is not an absolute path; ACP wants the whole path.`);
    }
    if (additionalDirectories.length > 0) requireOffer(facts, 'additionalDirectories', 'additionalDirectories');
    const { mcpStdio: stdio, mcpHttp: http, mcpSse: sse } = facts.offers;
    const { accepted, refused } = selectMcpServers(mcpServers, { stdio, http, sse });
    for (const { server, because } of refused) {
      report({ kind: 'mcp_server_refused', message: `MCP server "${server.name}" is left out: ${because}` });
    }
    return {
      cwd,
      additionalDirectories,
      mcpServers: accepted,
      acpServers: [...connection.unstable.acpServers, ...(facts.offers.mcpAcp ? (options.relayedServers ?? []) : [])],
      ...this.#systemPrompt(options.systemPrompt),
      ...(meta && { meta }),
    };
  }

  #systemPrompt(wanted: string | SystemPrompt | undefined): Pick<SessionSetup, 'systemPrompt'> {
    if (wanted === undefined) return {};
    const prompt: SystemPrompt =
      typeof wanted === 'string' ? { mode: 'append', content: [{ type: 'text', text: wanted }] } : wanted;
    const { unstable } = this.#parts.connection;
    unstable.require('systemPrompt', 'systemPrompt');
    if (prompt.mode === 'override') unstable.require('systemPrompt of mode override', 'overrideSystemPrompt');
    return { systemPrompt: { mode: prompt.mode, content: parseContent(prompt.content) } };
  }
}

function openBy(
  method: 'session/load' | 'session/resume',
  { id, setup }: LiveSession,
): (peer: AgentPeer, options: ReopenOptions) => Promise<SessionSettings> {
  return (peer, options) =>
    method === 'session/load' ? peer.loadSession(id, setup, options) : peer.resumeSession(id, setup, options);
}
