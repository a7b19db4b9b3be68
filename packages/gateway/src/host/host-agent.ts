import type { ActivityListener, Agent, AuthContext, ServeOptions } from '@parley/agent';
import { DEFAULT_PRINCIPAL } from '@parley/agent';
import type { AgentConnection, AgentSource, ClientDiagnostic } from '@parley/client';
import type { CloseReason, Transport } from '@parley/jsonrpc';
import type { ClientOffers } from '@parley/session';
import { type ClientListener, serveAll } from '../serve-all.ts';
import type { Caller } from './caller.ts';
import { followChildren, hostConnectOptions } from './connect-options.ts';
import { defineAgent, type HostHandlers } from './define-agent.ts';
import { readFirstMessage } from './first-message.ts';
import { AgentProcess, type ForeignSessions } from './foreign/agent-process.ts';
import { AgentProcesses, type ProcessSharing } from './foreign/agent-processes.ts';
import { foreignMeta } from './foreign/foreign-meta.ts';
import { readHosted } from './foreign/open-foreign.ts';
import { type HostHooks, RelayedActivity, tellProcess } from './host-hooks.ts';
import {
  DEFAULT_CLOSE_GRACE_MS,
  DEFAULT_FIRST_PAUSE_MS,
  DEFAULT_IDLE_MS,
  DEFAULT_MAX_PAUSE_MS,
  DEFAULT_MAX_TRANSCRIPT_CHARACTERS,
  type HostOptions,
} from './host-options.ts';
import type { HostedAgent, HostedProcess } from './hosted-agent.ts';
import { HostedSession } from './hosted-session.ts';
import { NO_OFFERS, readOffers } from './read-offers.ts';
import { toClient } from './refusals.ts';
import { refuseClient } from './refuse-client.ts';
import { type RelayParts, relayToAgent, tellAgent } from './relayed-methods.ts';
import { ServicesAtClients } from './services-at-clients.ts';

/**
 * Hosts an agent that somebody else has written: an agent of ours, with sessions in our store, whose turns are carried out by
 * that one. It is started with the first client, and again whenever it is needed and does not run.
 */
export function hostAgent(source: AgentSource, options: HostOptions = {}, hooks: HostHooks = {}): HostedAgent {
  return new AgentHost(source, options, hooks);
}

class AgentHost implements HostedAgent {
  readonly #source: AgentSource;
  readonly #options: HostOptions;
  readonly #hooks: HostHooks;
  readonly #activity = new RelayedActivity();
  readonly #processes: AgentProcesses<HostedSession>;
  readonly #relay: RelayParts;
  /** The sessions that are open, by principal and id. */
  readonly #sessions = new Map<string, HostedSession>();
  /** By principal; one for all where they share processes. */
  readonly #callers = new Map<string, Caller>();
  readonly #sharing: ProcessSharing;
  #agent: Promise<Agent> | undefined;
  #canDelete = false;

  constructor(source: AgentSource, options: HostOptions, hooks: HostHooks) {
    this.#source = source;
    this.#options = options;
    this.#hooks = hooks;
    const { firstPauseMs = DEFAULT_FIRST_PAUSE_MS, maxPauseMs = DEFAULT_MAX_PAUSE_MS } = options;
    this.#sharing = options.processes ?? 'perPrincipal';
    this.#processes = new AgentProcesses({
      processes: this.#sharing,
      firstPauseMs,
      maxPauseMs,
      admit: hooks.admitProcess,
      start: (offers, principal) => this.#start(offers, principal),
    });
    this.#relay = {
      processes: this.#processes,
      hosted: (principal, sessionId) => this.#sessions.get(keyOf(principal, sessionId)),
    };
  }

  async serve(wire: Transport | ClientListener, options: ServeOptions = {}): Promise<CloseReason> {
    if ('connections' in wire) return serveAll(wire, options, (each, rest) => this.serve(each, rest));
    const { first, ended, transport } = await readFirstMessage(wire);
    if (ended) return ended;
    let agent: Agent;
    try {
      agent = await this.#define(readOffers(first), options.principal);
    } catch (error) {
      return refuseClient(transport, toClient(error));
    }
    return agent.serve(transport, { whenClientLeaves: 'keep', ...options });
  }

  async start(offers: ClientOffers, principal: string = DEFAULT_PRINCIPAL): Promise<AgentConnection> {
    await this.#define(offers, principal);
    return (await this.#processes.any({ principal, offers })).connection;
  }

  whenSaved(): Promise<unknown> | undefined {
    const saving = [...this.#sessions.values()].flatMap(({ session }) => session.whenShown() ?? []);
    return saving.length === 0 ? undefined : Promise.all(saving);
  }

  pauseUntil(room: Promise<void>): void {
    for (const process of this.#processes.running) process.pauseUntil(room);
  }

  observe(listener: ActivityListener): () => void {
    return this.#activity.observe(listener);
  }

  drain(message: string): void {
    this.#activity.drain(message);
  }

  interrupt(message: string): Promise<void> {
    return this.#activity.interrupt(message);
  }

  stop(): Promise<void> {
    return this.#processes.close();
  }

  async close({ graceMs = DEFAULT_CLOSE_GRACE_MS }: { readonly graceMs?: number } = {}): Promise<void> {
    const agent = await this.#agent?.catch(() => undefined);
    const ended = agent?.close();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([ended, deadline]);
    clearTimeout(timer);
    // A turn that goes on by now ends with its agent.
    await this.#processes.close();
    await ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get processes(): readonly HostedProcess[] {
    return this.#processes.running.map(({ principal, startedAtMs, sessions }) => ({
      principal,
      startedAtMs,
      sessions: sessions.size,
    }));
  }

  /** What the agent says of itself is the same for all, whoever came first. */
  async #define(offers: ClientOffers, principal: string = DEFAULT_PRINCIPAL): Promise<Agent> {
    this.#agent ??= this.#describe(offers, principal);
    try {
      return await this.#agent;
    } catch (error) {
      // The next client has it started again.
      this.#agent = undefined;
      throw error;
    }
  }

  async #describe(offers: ClientOffers, principal: string): Promise<Agent> {
    const { connection } = await this.#processes.any({ principal, offers });
    this.#canDelete = connection.offers.deleteSession;
    const agent = defineAgent(connection, this.#options, this.#handlers());
    this.#activity.follow(agent);
    return agent;
  }

  #start(offers: ClientOffers, principal: string | undefined): Promise<AgentProcess<HostedSession>> {
    const sessions: ForeignSessions<HostedSession> = new Map();
    const services = new ServicesAtClients((sessionId) => {
      const session = sessions.get(sessionId)?.follower.sink?.session;
      return session && { sessionId: session.id, client: session.client };
    });
    const connect = hostConnectOptions({
      options: this.#options,
      sessions,
      offers,
      services,
      caller: this.#callerOf(principal),
      principal,
      openTraffic: this.#hooks.openTraffic,
    });
    const idleMs = this.#options.idleMs ?? DEFAULT_IDLE_MS;
    const release = (sessionId?: string): void => services.release(sessionId);
    const starting = AgentProcess.start({ source: this.#source, connect, sessions, principal, idleMs, release });
    followChildren(starting, sessions);
    return tellProcess(starting, principal, this.#hooks);
  }

  #handlers(): HostHandlers {
    return {
      onSession: async ({ session, reason, meta, client }) => {
        const hosted = this.#createSession(session);
        const key = keyOf(session.principal, session.id);
        const caller = this.#callerOf(session.principal);
        this.#sessions.set(key, hosted);
        caller.latestClient = client;
        try {
          // A stored session is opened at the agent when something is asked of it; what was said is in the log.
          const opening = { reason, meta, offers: client.offers };
          if (this.#options.embedded) await hosted.openAtOnce(opening);
          else if (reason === 'new' || reason === 'fork') await hosted.open(opening);
        } catch (error) {
          this.#sessions.delete(key);
          await hosted.end('left');
          throw toClient(error);
        }
        caller.latest = hosted;
        return async (end) => {
          if (this.#sessions.get(key) === hosted) this.#sessions.delete(key);
          if (caller.latest === hosted) caller.latest = undefined;
          await hosted.end(end);
        };
      },
      onPrompt: async (turn) => {
        const hosted = this.#require(turn.session);
        this.#callerOf(hosted.session.principal).latest = hosted;
        return hosted.prompt(turn);
      },
      onSetting: ({ session, id, value }) => this.#require(session).setSetting(id, value),
      onDelete: ({ state, principal }) => this.#deleteForeign(principal, readHosted(state)),
      onAnyRequest: (context) => relayToAgent(this.#relay, context),
      onAnyNotification: (context) => {
        tellAgent(this.#relay, context).catch((error: unknown) =>
          this.#report('handler_failed', 'A notification did not reach the agent.', error),
        );
      },
      onLogin: (methodId) => (context) => this.#login(methodId, context),
      onLogout: async ({ meta, client, principal }) => {
        this.#callerOf(principal).loginMethod = undefined;
        await this.#call({ client, principal }, (process) => process.connection.logout(metaOptions(meta)));
      },
    };
  }

  #createSession(session: HostedSession['session']): HostedSession {
    const { rememberBy = 'transcript', unstable = true, embedded, connect } = this.#options;
    const { maxTranscriptCharacters = DEFAULT_MAX_TRANSCRIPT_CHARACTERS } = this.#options;
    return new HostedSession({
      session,
      processes: this.#processes,
      isProcessOwn: this.#sharing === 'perSession',
      rememberBy,
      maxTranscriptCharacters,
      unstable,
      embedded,
      reconnects: connect?.reconnect === true,
      onFault: (message, error) => this.#report('handler_failed', message, error),
      onReopened: (message, error) => this.#report('session_lost', message, error),
    });
  }

  async #login(methodId: string, { meta, client, principal }: AuthContext): Promise<void> {
    const caller = this.#callerOf(principal);
    caller.loginClient = client;
    caller.latestClient = client;
    await this.#call({ client, principal }, (process) => process.connection.authenticate(methodId, metaOptions(meta)));
    caller.loginMethod = methodId;
  }

  async #deleteForeign(principal: string, sessionId: string | undefined): Promise<void> {
    if (sessionId === undefined || !this.#canDelete) return;
    const process = await this.#processes.any({ principal, offers: NO_OFFERS });
    await process.use(() => process.connection.deleteSession(sessionId));
  }

  async #call(
    { client, principal }: Pick<AuthContext, 'client' | 'principal'>,
    work: (process: AgentProcess<HostedSession>) => Promise<void>,
  ): Promise<void> {
    try {
      const process = await this.#processes.any({ principal, offers: client.offers });
      await process.use(() => work(process));
    } catch (error) {
      throw toClient(error);
    }
  }

  #require({ principal, id }: Pick<HostedSession['session'], 'principal' | 'id'>): HostedSession {
    const hosted = this.#sessions.get(keyOf(principal, id));
    if (!hosted) throw new Error(`Session ${id} is not hosted here.`);
    return hosted;
  }

  #callerOf(principal: string | undefined): Caller {
    const key = this.#sharing === 'shared' ? '' : (principal ?? '');
    const caller = this.#callers.get(key) ?? {};
    this.#callers.set(key, caller);
    return caller;
  }

  #report(kind: ClientDiagnostic['kind'], message: string, error: unknown): void {
    const diagnostic: ClientDiagnostic = { kind, message, error, suppressed: 0 };
    this.#options.onDiagnostic?.(diagnostic);
  }
}

function keyOf(principal: string, sessionId: string): string {
  return JSON.stringify([principal, sessionId]);
}

function metaOptions(meta: AuthContext['meta']): { readonly meta?: NonNullable<AuthContext['meta']> } {
  const foreign = foreignMeta(meta);
  return foreign ? { meta: foreign } : {};
}
