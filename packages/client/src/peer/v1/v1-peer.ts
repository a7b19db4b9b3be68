import { isRecord } from '@parley/jsonrpc/internal';
import {
  type AgentRequests,
  INVALID,
  parse,
  type ResultOf,
  type SessionConfigOption,
  type SessionModeState,
  takeProblem,
  ValidationError,
  v1,
  validators,
} from '@parley/protocol';
import { agentOffersFromV1, otherFields, stateFromV1, v1CapabilityOf } from '@parley/session';
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
import type { ClientDuties } from '../client-duties.ts';
import type { ProtocolVersion } from '../protocol-version.ts';
import { readUsage } from '../read-usage.ts';
import { metaAfter, requireSendable, requireShortId, withMeta, withUnstable } from '../requests.ts';
import { type MethodTable, VersionPeer, type VersionPeerParts } from '../version-peer.ts';
import { LegacyModels } from './legacy-models.ts';
import { serveAgent } from './serve-agent.ts';

/** ACP v1: maps each call to its method, and each of the agent's requests to our duties. */
export const V1: ProtocolVersion = {
  version: v1.version,
  introduce({ clientInfo, capabilities }) {
    const params = { clientCapabilities: capabilities, clientInfo };
    requireSendable('initialize', v1.requests.initialize.params, { protocolVersion: v1.version, ...params });
    return params;
  },
  connect({ connection, duties, answer, onInvalid }) {
    const facts = readFacts(answer);
    const models = new LegacyModels();
    const onEvent: ClientDuties['onEvent'] = (sessionId, event, cursor) =>
      duties.onEvent(
        sessionId,
        event.type === 'config' ? { ...event, options: models.join(sessionId, event.options) } : event,
        cursor,
      );
    serveAgent(connection, { ...duties, onEvent }, onInvalid);
    return { peer: new V1Peer({ connection, duties, onInvalid, models }), facts };
  },
};

function readFacts(answer: unknown): AgentFacts {
  const read = v1.parseResult('initialize', answer) as ResultOf<AgentRequests, 'initialize'>;
  return {
    protocolVersion: read.protocolVersion,
    offers: agentOffersFromV1(read),
    capabilityOf: v1CapabilityOf,
    capabilities: read.agentCapabilities ?? {},
    agentInfo: read.agentInfo ?? undefined,
    meta: read._meta ?? undefined,
  };
}

interface V1PeerParts extends VersionPeerParts {
  readonly models: LegacyModels;
}

class V1Peer extends VersionPeer<AgentRequests> implements AgentPeer {
  protected readonly methods = v1;
  readonly #models: LegacyModels;

  constructor({ models, ...parts }: V1PeerParts) {
    super(parts);
    this.#models = models;
  }

  protected async loadUnstable(): Promise<MethodTable<UnstableMethod>> {
    return (await import('@parley/protocol/unstable')).v1Unstable;
  }

  async authenticate(methodId: string, options: CallOptions): Promise<void> {
    await this.request('authenticate', { methodId }, options);
  }

  async logout(options: CallOptions): Promise<void> {
    await this.request('logout', {}, options);
  }

  async newSession(setup: SessionSetup, options: CallOptions): Promise<OpenedSession> {
    const answer = await this.request('session/new', setupParams(setup), options, setup);
    requireShortId(answer.sessionId);
    return { sessionId: answer.sessionId, ...this.#readSettings(answer.sessionId, answer) };
  }

  /** Fork is unstable in v1; its answer has the shape of `session/new`. */
  async forkSession(sessionId: string, setup: SessionSetup, options: CallOptions): Promise<OpenedSession> {
    const params = withMeta({ sessionId, ...setupParams(setup) }, options.meta);
    const answer = await this.connection.request('session/fork', withUnstable(params, setup), options);
    const opened = parse(validators.NewSessionResponse, answer);
    requireShortId(opened.sessionId);
    return { sessionId: opened.sessionId, ...this.#readSettings(opened.sessionId, opened) };
  }

  async loadSession(sessionId: string, setup: SessionSetup, options: ReopenOptions): Promise<SessionSettings> {
    const params = { sessionId, ...setupParams(setup, options.after) };
    return this.#readSettings(sessionId, await this.request('session/load', params, options, setup));
  }

  async resumeSession(sessionId: string, setup: SessionSetup, options: ReopenOptions): Promise<SessionSettings> {
    const params = { sessionId, ...setupParams(setup, options.after) };
    return this.#readSettings(sessionId, await this.request('session/resume', params, options, setup));
  }

  async listSessions(filter: SessionFilter, options: CallOptions): Promise<SessionPage> {
    const { sessions, nextCursor, _meta } = await this.request('session/list', filter, options);
    return { sessions, ...(nextCursor != null && { nextCursor }), ...(_meta && { meta: _meta }) };
  }

  async closeSession(sessionId: string, options: CallOptions): Promise<void> {
    await this.request('session/close', { sessionId }, options);
    this.#models.forget(sessionId);
  }

  async deleteSession(sessionId: string, options: CallOptions): Promise<void> {
    await this.request('session/delete', { sessionId }, options);
  }

  /**
   * Version 1 answers a prompt when its turn has ended. A turn that has ended is not lost because its answer is odd: an
   * unknown stop reason is told, and taken for the usual one.
   */
  async prompt(sessionId: string, { promptId, content }: Prompt, options: CallOptions): Promise<void> {
    const params = withMeta({ sessionId, prompt: content }, options.meta);
    this.requireValid('session/prompt', params);
    const answer = await this.connection.request('session/prompt', params, options);
    const valid = validators.PromptResponse(answer);
    if (valid === INVALID) {
      const problem = `session/prompt: ${new ValidationError(takeProblem()).message}`;
      this.onInvalid(problem, { method: 'session/prompt', sessionId });
    }
    const stopReason = valid === INVALID ? 'end_turn' : valid.stopReason;
    const { usage: tokens, _meta: meta } = (answer ?? {}) as { usage?: unknown; _meta?: unknown };
    const usage = readUsage(tokens);
    const extra = isRecord(answer) ? otherFields(answer, PROMPT_FIELDS) : undefined;
    this.duties.onTurnEnd(sessionId, {
      type: 'turn_ended',
      promptId,
      stopReason,
      ...(usage && { usage }),
      ...(isRecord(meta) && { meta }),
      ...(extra && { extra }),
    });
  }

  async setMode(sessionId: string, modeId: string, options: CallOptions): Promise<void> {
    await this.request('session/set_mode', { sessionId, modeId }, options);
  }

  async setOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
    options: CallOptions,
  ): Promise<readonly SessionConfigOption[]> {
    if (this.#models.has(sessionId, configId)) return this.#setModel(sessionId, String(value), options);
    const choice = typeof value === 'boolean' ? { type: 'boolean', value } : { value };
    const answer = await this.request('session/set_config_option', { sessionId, configId, ...choice }, options);
    return this.#models.join(sessionId, answer.configOptions);
  }

  /** Not part of version 1 any more, but agents in use still have it. */
  async #setModel(sessionId: string, modelId: string, options: CallOptions): Promise<readonly SessionConfigOption[]> {
    await this.connection.request('session/set_model', withMeta({ sessionId, modelId }, options.meta), options);
    return this.#models.choose(sessionId, modelId);
  }

  #readSettings(sessionId: string, answer: WireSettings): SessionSettings {
    const { modes, configOptions, _meta: meta } = answer;
    const options = this.#models.read(sessionId, answer, configOptions ?? undefined);
    const state = stateFromV1(meta);
    const extra = otherFields(answer, SETTINGS_FIELDS);
    return {
      ...(modes && { modes }),
      ...(options && { options }),
      ...(state && { state }),
      ...(meta && { meta }),
      ...(extra && { extra }),
    };
  }
}

/** Agents exist that refuse a setup without `mcpServers`, so it is always sent; the other list only when it says something. */
function setupParams({ cwd, additionalDirectories, mcpServers, meta: given }: SessionSetup, after?: number): object {
  const meta = metaAfter(given, after);
  return {
    cwd,
    ...(additionalDirectories.length > 0 && { additionalDirectories }),
    mcpServers,
    ...(meta && { _meta: meta }),
  };
}

/** The fields of answers that are read here. */
const SETTINGS_FIELDS: ReadonlySet<string> = new Set(['sessionId', 'modes', 'configOptions', '_meta', '__proto__']);
const PROMPT_FIELDS: ReadonlySet<string> = new Set(['stopReason', 'usage', '_meta', '__proto__']);

interface WireSettings {
  readonly modes?: SessionModeState | null;
  readonly configOptions?: readonly SessionConfigOption[] | null;
  readonly _meta?: Meta | null;
}
