import type { Agent, AuthContext, Client, ServeOptions } from '@parley/agent';
import type { AgentSource, ClientDiagnostic } from '@parley/client';
import type { CloseReason, Transport } from '@parley/jsonrpc';
import { type ClientOffers, clientOffersFromV1 } from '@parley/session';
import { type ClientListener, serveAll } from '../serve-all.ts';
import { hostConnectOptions } from './connect-options.ts';
import { defineAgent, type HostHandlers } from './define-agent.ts';
import { readFirstMessage } from './first-message.ts';
import { AgentProcess, type ForeignSessions } from './foreign/agent-process.ts';
import { AgentProcesses } from './foreign/agent-processes.ts';
import { foreignMeta } from './foreign/foreign-meta.ts';
import { readHosted } from './foreign/open-foreign.ts';
import {
  DEFAULT_FIRST_PAUSE_MS,
  DEFAULT_IDLE_MS,
  DEFAULT_MAX_PAUSE_MS,
  DEFAULT_MAX_TRANSCRIPT_CHARACTERS,
  type HostOptions,
} from './host-options.ts';
import { HostedSession } from './hosted-session.ts';
import { toClient } from './refusals.ts';
import { refuseClient } from './refuse-client.ts';
import { type RelayParts, relayToAgent, tellAgent } from './relayed-methods.ts';

/** An agent that serves clients, whoever has written it. */
export interface HostedAgent extends AsyncDisposable {
  /** Serves one client, or every client that a listener accepts. Turns go on without their clients unless the options say otherwise. */
  serve(wire: Transport | ClientListener, options?: ServeOptions): Promise<CloseReason>;
  /** Stops the agent, with everything it has started. Its sessions stay in the store. */
  close(): Promise<void>;
}

/**
 * Hosts an agent that somebody else has written: an agent of ours, with sessions in our store, whose turns are carried out by
 * that one. It is started with the first client, and again whenever it is needed and does not run.
 */
export function hostAgent(source: AgentSource, options: HostOptions = {}): HostedAgent {
  return new AgentHost(source, options);
}

class AgentHost implements HostedAgent {
  readonly #source: AgentSource;
  readonly #options: HostOptions;
  readonly #processes: AgentProcesses<HostedSession>;
  readonly #relay: RelayParts;
  /** The sessions that are open, by their ids. */
  readonly #sessions = new Map<string, HostedSession>();
  #agent: Promise<Agent> | undefined;
  /** The session that was used last, while it is open, and the client that was heard last, without one. */
  #latest: HostedSession | undefined;
  #latestClient: Client | undefined;
  #loginMethod: string | undefined;
  #loginClient: Client | undefined;
  #canDelete = false;

  constructor(source: AgentSource, options: HostOptions) {
    this.#source = source;
    this.#options = options;
    const { processes = 'shared', firstPauseMs = DEFAULT_FIRST_PAUSE_MS, maxPauseMs = DEFAULT_MAX_PAUSE_MS } = options;
    this.#processes = new AgentProcesses({
      processes,
      firstPauseMs,
      maxPauseMs,
      start: (offers) => this.#start(offers),
    });
    this.#relay = {
      processes: this.#processes,
      hosted: (sessionId) => this.#sessions.get(sessionId),
      latestClient: () => this.#latest?.session.client ?? this.#latestClient,
    };
  }

  async serve(wire: Transport | ClientListener, options: ServeOptions = {}): Promise<CloseReason> {
    if ('connections' in wire) return serveAll(wire, options, (each, rest) => this.serve(each, rest));
    const { first, ended, transport } = await readFirstMessage(wire);
    if (ended) return ended;
    let agent: Agent;
    try {
      this.#agent ??= this.#define(readOffers(first));
      agent = await this.#agent;
    } catch (error) {
      // The next client has it started again.
      this.#agent = undefined;
      return refuseClient(transport, toClient(error));
    }
    return agent.serve(transport, { whenClientLeaves: 'keep', ...options });
  }

  close(): Promise<void> {
    return this.#processes.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #define(offers: ClientOffers): Promise<Agent> {
    const { connection } = await this.#processes.any(offers);
    this.#canDelete = connection.offers.deleteSession;
    return defineAgent(connection, this.#options, this.#handlers());
  }

  #start(offers: ClientOffers): Promise<AgentProcess<HostedSession>> {
    const sessions: ForeignSessions<HostedSession> = new Map();
    const connect = hostConnectOptions({
      options: this.#options,
      relay: this.#relay,
      sessions,
      offers,
      loginMethod: () => this.#loginMethod,
      loginClient: () => this.#loginClient,
      onDiagnostic: (diagnostic) => this.#options.onDiagnostic?.(diagnostic),
    });
    return AgentProcess.start({
      source: this.#source,
      connect,
      sessions,
      idleMs: this.#options.idleMs ?? DEFAULT_IDLE_MS,
    });
  }

  #handlers(): HostHandlers {
    return {
      onSession: async ({ session, reason, meta, client }) => {
        const hosted = this.#createSession(session);
        this.#sessions.set(session.id, hosted);
        this.#latestClient = client;
        try {
          // A stored session is opened at the agent when something is asked of it; what was said is in the log.
          if (reason === 'new' || reason === 'fork') await hosted.open({ reason, meta });
        } catch (error) {
          this.#sessions.delete(session.id);
          throw toClient(error);
        }
        this.#latest = hosted;
        return async (end) => {
          if (this.#sessions.get(session.id) === hosted) this.#sessions.delete(session.id);
          if (this.#latest === hosted) this.#latest = undefined;
          await hosted.end(end);
        };
      },
      onPrompt: async (turn) => {
        const hosted = this.#require(turn.session.id);
        this.#latest = hosted;
        return hosted.prompt(turn);
      },
      onSetting: ({ session, id, value }) => this.#require(session.id).setSetting(id, value),
      onDelete: ({ state }) => this.#deleteForeign(readHosted(state)),
      onAnyRequest: (context) => relayToAgent(this.#relay, context),
      onAnyNotification: (context) => {
        tellAgent(this.#relay, context).catch((error: unknown) =>
          this.#report('A notification did not reach the agent.', error),
        );
      },
      onLogin: (methodId) => (context) => this.#login(methodId, context),
      onLogout: async ({ meta, client }) => {
        this.#loginMethod = undefined;
        await this.#call(client, (process) => process.connection.logout(metaOptions(meta)));
      },
    };
  }

  #createSession(session: HostedSession['session']): HostedSession {
    const { processes, rememberBy = 'transcript', unstable = true } = this.#options;
    const { maxTranscriptCharacters = DEFAULT_MAX_TRANSCRIPT_CHARACTERS } = this.#options;
    return new HostedSession({
      session,
      processes: this.#processes,
      isProcessOwn: processes === 'perSession',
      rememberBy,
      maxTranscriptCharacters,
      unstable,
      onFault: (message, error) => this.#report(message, error),
    });
  }

  async #login(methodId: string, { meta, client }: AuthContext): Promise<void> {
    this.#loginClient = client;
    this.#latestClient = client;
    await this.#call(client, (process) => process.connection.authenticate(methodId, metaOptions(meta)));
    this.#loginMethod = methodId;
  }

  async #deleteForeign(sessionId: string | undefined): Promise<void> {
    if (sessionId === undefined || !this.#canDelete) return;
    const process = await this.#processes.any(NO_OFFERS);
    await process.use(() => process.connection.deleteSession(sessionId));
  }

  async #call(client: Client, work: (process: AgentProcess<HostedSession>) => Promise<void>): Promise<void> {
    try {
      const process = await this.#processes.any(client.offers);
      await process.use(() => work(process));
    } catch (error) {
      throw toClient(error);
    }
  }

  #require(sessionId: string): HostedSession {
    const hosted = this.#sessions.get(sessionId);
    if (!hosted) throw new Error(`Session ${sessionId} is not hosted here.`);
    return hosted;
  }

  #report(message: string, error: unknown): void {
    const diagnostic: ClientDiagnostic = { kind: 'handler_failed', message, error, suppressed: 0 };
    this.#options.onDiagnostic?.(diagnostic);
  }
}

const NO_OFFERS: ClientOffers = clientOffersFromV1({}, false);

/** What a client offers, by its first message; nothing where that is no `initialize`. */
function readOffers(first: unknown): ClientOffers {
  const { method, params } = (first ?? {}) as { readonly method?: unknown; readonly params?: unknown };
  if (method !== 'initialize' || typeof params !== 'object' || params === null) return NO_OFFERS;
  try {
    return clientOffersFromV1(params, false);
  } catch {
    // Whoever serves the client tells it what is wrong.
    return NO_OFFERS;
  }
}

function metaOptions(meta: AuthContext['meta']): { readonly meta?: NonNullable<AuthContext['meta']> } {
  const foreign = foreignMeta(meta);
  return foreign ? { meta: foreign } : {};
}
