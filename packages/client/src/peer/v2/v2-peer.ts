import { RpcError } from '@parley/jsonrpc';
import { type AgentCapabilities, kindOfError, parse, type ResultOf, type SessionConfigOption } from '@parley/protocol';
import {
  type AgentRequests,
  type AvailableCommand,
  type SessionConfigOption as V2Option,
  v2,
  validators,
} from '@parley/protocol/v2';
import {
  agentOffersFromV2,
  commandsFromV2,
  configOptionsFromV2,
  mcpServersToV2,
  v2CapabilityOf,
} from '@parley/session/v2';
import type {
  AgentFacts,
  AgentPeer,
  CallOptions,
  Meta,
  OpenedSession,
  Prompt,
  ReopenOptions,
  SessionFilter,
  SessionPage,
  SessionSettings,
  SessionSetup,
  UnstableMethod,
} from '../agent-peer.ts';
import type { ConnectedPeer, IntroducedAgent } from '../protocol-version.ts';
import { metaAfter, requireShortId, withMeta, withUnstable } from '../requests.ts';
import { type MethodTable, VersionPeer, type VersionPeerParts } from '../version-peer.ts';
import { serveAgent } from './serve-agent.ts';
import { V2Sessions } from './sessions.ts';

/** ACP v2, a draft: maps each call to its method, and each of the agent's requests to our duties. */
export function connectV2({ connection, duties, answer, onInvalid }: IntroducedAgent): ConnectedPeer {
  const facts = readFacts(answer);
  const sessions = new V2Sessions(duties);
  serveAgent({ connection, duties, sessions, onInvalid });
  return { peer: new V2Peer({ connection, duties, sessions, onInvalid }), facts };
}

function readFacts(answer: unknown): AgentFacts {
  const read = v2.parseResult('initialize', answer) as ResultOf<AgentRequests, 'initialize'>;
  return {
    protocolVersion: read.protocolVersion,
    offers: agentOffersFromV2(read),
    capabilityOf: v2CapabilityOf,
    capabilities: (read.capabilities ?? {}) as AgentCapabilities,
    agentInfo: read.info,
    meta: read._meta ?? undefined,
    modeIsOption: true,
  };
}

interface V2PeerParts extends VersionPeerParts {
  readonly sessions: V2Sessions;
}

class V2Peer extends VersionPeer<AgentRequests> implements AgentPeer {
  protected readonly methods = v2;
  readonly #sessions: V2Sessions;

  constructor({ sessions, ...parts }: V2PeerParts) {
    super(parts);
    this.#sessions = sessions;
  }

  protected async loadUnstable(): Promise<MethodTable<UnstableMethod>> {
    return (await import('@parley/protocol/v2/unstable')).v2Unstable;
  }

  async authenticate(methodId: string, options: CallOptions): Promise<void> {
    await this.request('auth/login', { methodId }, options);
  }

  async logout(options: CallOptions): Promise<void> {
    await this.request('auth/logout', {}, options);
  }

  async newSession(setup: SessionSetup, options: CallOptions): Promise<OpenedSession> {
    const answer = await this.request('session/new', setupParams(setup), options, setup);
    requireShortId(answer.sessionId);
    return { sessionId: answer.sessionId, ...readSettings(answer) };
  }

  /** Fork is unstable in v2 too; its answer has the shape of `session/new`. */
  async forkSession(sessionId: string, setup: SessionSetup, options: CallOptions): Promise<OpenedSession> {
    const params = withMeta({ sessionId, ...setupParams(setup) }, options.meta);
    const answer = await this.connection.request('session/fork', withUnstable(params, setup), options);
    const opened = parse(validators.NewSessionResponse, answer);
    requireShortId(opened.sessionId);
    return { sessionId: opened.sessionId, ...readSettings(opened) };
  }

  loadSession(sessionId: string, setup: SessionSetup, options: ReopenOptions): Promise<SessionSettings> {
    return this.#resume(
      { sessionId, ...setupParams(setup, options.after), replayFrom: { type: 'start' } },
      setup,
      options,
    );
  }

  resumeSession(sessionId: string, setup: SessionSetup, options: ReopenOptions): Promise<SessionSettings> {
    return this.#resume({ sessionId, ...setupParams(setup, options.after) }, setup, options);
  }

  /** The agent tells what the session is doing before it answers. */
  async #resume(
    params: { readonly sessionId: string; readonly replayFrom?: { readonly type: 'start' } },
    setup: SessionSetup,
    options: CallOptions,
  ): Promise<SessionSettings> {
    const { sessionId } = params;
    // What the terminals of the session have written comes from the beginning.
    this.#sessions.forget(sessionId);
    const answer = await this.request('session/resume', params, options, setup);
    const { state } = this.#sessions.of(sessionId);
    return { ...readSettings(answer), ...(state && { state }) };
  }

  async listSessions(filter: SessionFilter, options: CallOptions): Promise<SessionPage> {
    const { sessions, nextCursor, _meta } = await this.request('session/list', filter, options);
    return { sessions, ...(nextCursor != null && { nextCursor }), ...(_meta && { meta: _meta }) };
  }

  async closeSession(sessionId: string, options: CallOptions): Promise<void> {
    await orGone(this.request('session/close', { sessionId }, options));
    this.#sessions.forget(sessionId);
  }

  async deleteSession(sessionId: string, options: CallOptions): Promise<void> {
    await orGone(this.request('session/delete', { sessionId }, options));
    this.#sessions.forget(sessionId);
  }

  /** Version 2 answers a prompt when it is in the conversation, and names it; a state of the session tells that its turn has ended. */
  async prompt(sessionId: string, { promptId, content, isSteered }: Prompt, options: CallOptions): Promise<void> {
    const params = withMeta({ sessionId, prompt: content }, options.meta);
    this.requireValid('session/prompt', params);
    const { watch } = this.#sessions.of(sessionId);
    if (!isSteered) watch.sent(promptId, content);
    options.signal?.addEventListener('abort', () => watch.forget(promptId), { once: true });
    try {
      await this.connection.request('session/prompt', params, {
        ...options,
        read: (answer) => watch.answered(promptId, this.#readMessageId(sessionId, answer)),
      });
    } catch (error) {
      watch.forget(promptId);
      // A prompt that waited when the session was cancelled, by whomever, is answered so.
      if (!(error instanceof RpcError) || error.code !== REQUEST_CANCELLED) throw error;
      this.duties.onTurnEnd(sessionId, { type: 'turn_ended', promptId, stopReason: 'cancelled' });
    }
  }

  begins(sessionId: string, { promptId, content }: Prompt): void {
    this.#sessions.of(sessionId).watch.sent(promptId, content);
  }

  /** A turn is not lost because its prompt has no name: that is told, and its echo is known by its words. */
  #readMessageId(sessionId: string, answer: unknown): string | undefined {
    const { messageId } = (answer ?? {}) as { readonly messageId?: unknown };
    if (typeof messageId === 'string') return messageId;
    const problem = 'session/prompt: the answer has no messageId';
    this.onInvalid(problem, { method: 'session/prompt', sessionId });
    return undefined;
  }

  async cancelToolCall(sessionId: string, toolCallId: string, options: CallOptions): Promise<void> {
    await this.request('tool_call/cancel', { sessionId, toolCallId }, options);
  }

  async cancelTerminal(sessionId: string, terminalId: string, options: CallOptions): Promise<void> {
    await this.request('terminal/cancel', { sessionId, terminalId }, options);
  }

  async setOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
    options: CallOptions,
  ): Promise<readonly SessionConfigOption[]> {
    const params = { sessionId, configId, type: typeof value === 'boolean' ? 'boolean' : 'id', value };
    const answer = await this.request('session/set_config_option', params, options);
    return configOptionsFromV2(answer.configOptions);
  }
}

const REQUEST_CANCELLED = -32800;

/** A session that the agent does not have is as closed, and as deleted, as it can be. */
async function orGone(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    const kind = kindOfError(error);
    if (kind !== 'session_not_found' && kind !== 'resource_not_found') throw error;
  }
}

function setupParams(setup: SessionSetup, after?: number): object {
  const { cwd, additionalDirectories, mcpServers } = setup;
  const meta = metaAfter(setup.meta, after);
  return {
    cwd,
    ...(additionalDirectories.length > 0 && { additionalDirectories }),
    mcpServers: mcpServersToV2(mcpServers),
    ...(meta && { _meta: meta }),
  };
}

interface WireSettings {
  readonly configOptions?: readonly V2Option[] | null;
  readonly availableCommands?: readonly AvailableCommand[] | null;
  readonly _meta?: Meta | null;
}

function readSettings({ configOptions, availableCommands, _meta: meta }: WireSettings): SessionSettings {
  return {
    ...(configOptions && { options: configOptionsFromV2(configOptions) }),
    ...(availableCommands && { commands: commandsFromV2(availableCommands) }),
    ...(meta && { meta }),
  };
}
