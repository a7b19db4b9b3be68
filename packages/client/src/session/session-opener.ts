import {
  type AgentCapabilities,
  acceptsAdditionalDirectories,
  canLoadSession,
  canResumeSession,
  hasCapability,
  isAbsolutePath,
  parseContent,
} from '@parley/protocol';
import type { ConnectionCore } from '../connect/connection-core.ts';
import { requireCapability } from '../connect/require-capability.ts';
import { CapabilityError, UsageError } from '../errors.ts';
import { type McpServerInput, selectMcpServers } from '../mcp-servers/mcp-servers.ts';
import type {
  AgentPeer,
  CallOptions,
  Meta,
  OpenedSession,
  SessionSettings,
  SessionSetup,
  SystemPrompt,
} from '../peer/agent-peer.ts';
import { ClientSession } from './live-session.ts';

export interface SessionOptions {
  /** Where the session works; absolute. */
  readonly cwd: string;
  /** Further directories that belong to its workspace; absolute. */
  readonly additionalDirectories?: readonly string[];
  /** Servers for the agent to use, as a list or as the map that `.mcp.json` has. */
  readonly mcpServers?: McpServerInput;
  /** Instructions for the model; a string is added to the agent's own. Unstable. */
  readonly systemPrompt?: string | SystemPrompt;
  /** `_meta` of the request that opens the session, for what an agent takes besides the specification. */
  readonly meta?: Meta;
}

/** Opens sessions: new ones, stored ones, and those of a connection that was lost. */
export class SessionOpener {
  readonly #core: ConnectionCore;

  constructor(core: ConnectionCore) {
    this.#core = core;
  }

  create(options: SessionOptions): Promise<ClientSession> {
    return this.#begin('session/new', options, (peer, setup, call) => peer.newSession(setup, call));
  }

  async fork(sessionId: string, options: SessionOptions): Promise<ClientSession> {
    requireCapability(this.#core.facts.capabilities, 'session/fork', canFork, 'sessionCapabilities.fork');
    return await this.#begin('session/fork', options, (peer, setup, call) => peer.forkSession(sessionId, setup, call));
  }

  async open(
    method: 'session/load' | 'session/resume',
    sessionId: string,
    options: SessionOptions,
  ): Promise<ClientSession> {
    const core = this.#core;
    requireOpenable(core.facts.capabilities, method);
    if (core.sessions.has(sessionId)) throw new UsageError('unknown_choice', `Session ${sessionId} is open already.`);
    const session = new ClientSession(sessionId, this.#setup(options), core.sessionHost);
    try {
      await this.reopen(session, method);
      core.sessions.set(sessionId, session);
      return session;
    } catch (error) {
      core.router.remove(sessionId, session);
      throw error;
    }
  }

  /** Opens a stored session into an object that exists; what the agent tells again is joined with what it has. */
  async reopen(session: ClientSession, method: 'session/load' | 'session/resume'): Promise<void> {
    const core = this.#core;
    session.startReplay();
    core.router.add(session.id, session);
    const open = (peer: AgentPeer, call: CallOptions): Promise<SessionSettings> =>
      method === 'session/load'
        ? peer.loadSession(session.id, session.setup, call)
        : peer.resumeSession(session.id, session.setup, call);
    try {
      session.opened(await core.authentication.around(() => core.runPhase(method, open)));
    } catch (error) {
      session.notOpened();
      throw error;
    }
  }

  /** Makes a new session for an object whose own the agent has lost. */
  async recreate(session: ClientSession): Promise<void> {
    const core = this.#core;
    const lost = session.id;
    const stopExpecting = core.router.expect();
    try {
      const opened = await core.authentication.around(() =>
        core.runPhase('session/new', (peer, call) => peer.newSession(session.setup, call)),
      );
      await core.services.endSession(lost);
      core.router.remove(lost, session);
      core.sessions.delete(lost);
      session.moveTo(opened.sessionId);
      core.sessions.set(session.id, session);
      session.opened(opened);
      core.router.add(session.id, session);
    } finally {
      stopExpecting();
    }
  }

  async #begin(
    method: 'session/new' | 'session/fork',
    options: SessionOptions,
    open: (peer: AgentPeer, setup: SessionSetup, call: CallOptions) => Promise<OpenedSession>,
  ): Promise<ClientSession> {
    const core = this.#core;
    const setup = this.#setup(options);
    const stopExpecting = core.router.expect();
    try {
      const opened = await core.authentication.around(() =>
        core.runPhase(method, (peer, call) => open(peer, setup, call)),
      );
      const session = new ClientSession(opened.sessionId, setup, core.sessionHost);
      core.sessions.set(session.id, session);
      session.opened(opened);
      core.router.add(session.id, session);
      return session;
    } finally {
      stopExpecting();
    }
  }

  #setup(options: SessionOptions): SessionSetup {
    const { cwd, additionalDirectories = [], mcpServers = [], meta } = options;
    const { capabilities } = this.#core.facts;
    for (const path of [cwd, ...additionalDirectories]) {
      if (!isAbsolutePath(path))
        throw new UsageError('invalid_path', `"${path}" is not an absolute path; ACP wants the whole path.`);
    }
    if (additionalDirectories.length > 0 && !acceptsAdditionalDirectories(capabilities)) {
      throw new CapabilityError('additionalDirectories', 'agentCapabilities.sessionCapabilities.additionalDirectories');
    }
    const { accepted, refused } = selectMcpServers(mcpServers, capabilities.mcpCapabilities);
    for (const { server, because } of refused) {
      const message = `MCP server "${server.name}" is left out: ${because}`;
      this.#core.report({ kind: 'mcp_server_refused', message });
    }
    return {
      cwd,
      additionalDirectories,
      mcpServers: accepted,
      acpServers: this.#core.unstable.acpServers,
      ...this.#systemPrompt(options.systemPrompt),
      ...(meta && { meta }),
    };
  }

  #systemPrompt(wanted: string | SystemPrompt | undefined): Pick<SessionSetup, 'systemPrompt'> {
    if (wanted === undefined) return {};
    const prompt: SystemPrompt =
      typeof wanted === 'string' ? { mode: 'append', content: [{ type: 'text', text: wanted }] } : wanted;
    const capability = 'sessionCapabilities.systemPrompt';
    this.#core.unstable.require('systemPrompt', capability);
    if (prompt.mode === 'override')
      this.#core.unstable.require('systemPrompt of mode override', `${capability}.mode.override`);
    return { systemPrompt: { mode: prompt.mode, content: parseContent(prompt.content) } };
  }
}

export function canFork(capabilities: AgentCapabilities): boolean {
  return hasCapability({ agentCapabilities: capabilities }, 'agentCapabilities.sessionCapabilities.fork');
}

function requireOpenable(capabilities: AgentCapabilities, method: 'session/load' | 'session/resume'): void {
  if (method === 'session/load') requireCapability(capabilities, method, canLoadSession, 'loadSession');
  else requireCapability(capabilities, method, canResumeSession, 'sessionCapabilities.resume');
}
