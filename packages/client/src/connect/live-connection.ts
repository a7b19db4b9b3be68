import type { AgentCapabilities, AuthMethod, Implementation } from '@parley/protocol';
import type { AuthStatusResponse } from '@parley/protocol/unstable';
import type { AgentOffers, Question } from '@parley/session';
import { Authentication } from '../auth/authentication.ts';
import { type Clock, SYSTEM_CLOCK } from '../clock.ts';
import type { ClientDiagnostic, ReportDiagnostic } from '../diagnostics.ts';
import { Emitter } from '../emitter.ts';
import { UsageError } from '../errors.ts';
import { DEFAULT_CLIENT_LIMITS } from '../limits.ts';
import { AgentCalls, requireOffer } from '../link/agent-calls.ts';
import { ReconnectingLink } from '../link/reconnecting-link.ts';
import { SilenceWatchdog } from '../link/silence-watchdog.ts';
import { type Providers, UnstableCalls } from '../link/unstable-calls.ts';
import type { Meta, SessionFilter } from '../peer/agent-peer.ts';
import type { Versions } from '../peer/protocol-version.ts';
import { ClientServices } from '../services/client-services.ts';
import type { LiveSession } from '../session/live-session.ts';
import { SessionRegistry } from '../session/registry.ts';
import type { ClientSession, MetaOptions, SessionOptions } from '../session/session.ts';
import { createSessionList, type SessionList } from '../session/session-list.ts';
import { SessionRouter } from '../session/session-router.ts';
import { Subagents } from '../session/subagents/subagents.ts';
import type { AgentSource } from '../source/agent-source.ts';
import type { TraceOptions } from '../trace/trace.ts';
import type { AgentConnection, ConnectionCounts, ConnectionEvents, ConnectionState } from './agent-connection.ts';
import type { ConnectOptions } from './connect-options.ts';
import { linkOptions } from './link-options.ts';

/** The inside of an `AgentConnection`: joins the parts that outlive a single link to the agent. */
export class LiveConnection implements AgentConnection {
  readonly closed: Promise<unknown>;
  readonly #source: AgentSource;
  readonly #options: ConnectOptions;
  readonly #emitter = new Emitter<ConnectionEvents>();
  readonly #sessions = new Map<string, LiveSession>();
  readonly #router: SessionRouter;
  readonly #watchdog: SilenceWatchdog | undefined;
  readonly #services: ClientServices;
  readonly #links: ReconnectingLink;
  readonly #calls: AgentCalls;
  readonly #authentication: Authentication;
  readonly #unstable: UnstableCalls;
  readonly #registry: SessionRegistry;
  #state: ConnectionState = 'connected';
  #closing: Promise<void> | undefined;
  #resolveClosed: (error: unknown) => void = () => {};

  constructor(source: AgentSource, options: ConnectOptions, versions?: Versions) {
    const { clock = SYSTEM_CLOCK, random = Math.random, retry, onSessionLost } = options;
    const { customContent, imageMimeTypes, audioMimeTypes } = options;
    const limits = { ...DEFAULT_CLIENT_LIMITS, ...options.limits };
    const sessions = this.#sessions;
    this.#source = source;
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#router = new SessionRouter(limits.maxEarlyUpdates);
    this.#watchdog =
      options.watchdog &&
      new SilenceWatchdog({
        ...options.watchdog,
        clock,
        agent: source.name,
        isPaused: () => this.#links.isPaused,
        isWaitingForPerson: (sessionId) => sessions.get(sessionId ?? '')?.state === 'waiting',
      });
    const report: ReportDiagnostic = (diagnostic) => this.#tell({ ...diagnostic, suppressed: 0 });
    const subagents = new Subagents({
      router: this.#router,
      onEvent: (update) => this.#emitter.emit('subagent', update),
    });
    const shared = { clock, limits, report, sessions, router: this.#router, subagents, watchdog: this.#watchdog };
    this.#services = new ClientServices({ ...shared, options, source, emitter: this.#emitter });
    this.#links = this.#createLinks(clock, random, versions);
    this.#calls = new AgentCalls({ ...shared, links: this.#links, random, retry });
    this.#authentication = new Authentication({ source, options: options.auth ?? {}, links: this.#links });
    this.#unstable = new UnstableCalls(this.#calls, options);
    this.#registry = new SessionRegistry({
      ...shared,
      calls: this.#calls,
      unstable: this.#unstable,
      services: this.#services,
      authentication: this.#authentication,
      onSessionLost,
      isDialled: source.redial !== undefined,
      carriesUpdates: () => this.carriesUpdates,
      promptRules: { customContent, imageMimeTypes, audioMimeTypes },
    });
  }

  /** Opens the first link. */
  open(): Promise<void> {
    return this.#links.open(this.#options.signal);
  }

  get agent(): string {
    return this.#source.name;
  }

  get agentInfo(): Implementation | undefined {
    return this.#calls.facts.agentInfo;
  }

  get protocolVersion(): number {
    return this.#calls.facts.protocolVersion;
  }

  get offers(): AgentOffers {
    return this.#calls.facts.offers;
  }

  get capabilities(): AgentCapabilities {
    return this.#calls.facts.capabilities;
  }

  get authMethods(): readonly AuthMethod[] {
    return this.#calls.facts.offers.authMethods;
  }

  get carriesUpdates(): boolean {
    return this.#links.link.carriesUpdates;
  }

  get meta(): Meta | undefined {
    return this.#calls.facts.meta;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get sessions(): ReadonlyMap<string, ClientSession> {
    return this.#sessions;
  }

  get questions(): readonly Question[] {
    return this.#services.questions.list();
  }

  get counts(): ConnectionCounts {
    const { foreign, dropped } = this.#router.counts;
    const { noiseLines = 0 } = this.#links.link.inspect();
    return { foreignUpdates: foreign, droppedUpdates: dropped, noiseLines };
  }

  get providers(): Providers {
    return this.#unstable.providers;
  }

  on<Name extends keyof ConnectionEvents>(name: Name, listener: (value: ConnectionEvents[Name]) => void): () => void {
    return this.#emitter.on(name, listener);
  }

  newSession(options: SessionOptions): Promise<ClientSession> {
    return this.#registry.opener.create(options);
  }

  loadSession(sessionId: string, options: SessionOptions): Promise<ClientSession> {
    return this.#registry.opener.open('session/load', sessionId, options);
  }

  resumeSession(sessionId: string, options: SessionOptions): Promise<ClientSession> {
    return this.#registry.opener.open('session/resume', sessionId, options);
  }

  forkSession(sessionId: string, options: SessionOptions): Promise<ClientSession> {
    return this.#registry.opener.fork(sessionId, options);
  }

  listSessions({ meta, ...filter }: Omit<SessionFilter, 'cursor'> & MetaOptions = {}): SessionList {
    requireOffer(this.#calls.facts, 'listSessions', 'session/list');
    return createSessionList(filter, (page) =>
      this.#calls.call('session/list', (peer, options) => peer.listSessions(page, options), meta),
    );
  }

  async deleteSession(sessionId: string, { meta }: MetaOptions = {}): Promise<void> {
    requireOffer(this.#calls.facts, 'deleteSession', 'session/delete');
    await this.#sessions.get(sessionId)?.close();
    await this.#calls.call('session/delete', (peer, options) => peer.deleteSession(sessionId, options), meta);
  }

  async archiveSession(sessionId: string): Promise<void> {
    await (this.#sessions.get(sessionId)?.archive() ?? this.#unstable.archive(sessionId));
  }

  unarchiveSession(sessionId: string): Promise<void> {
    return this.#unstable.unarchive(sessionId);
  }

  sessionStatus(sessionId: string): Promise<string> {
    return this.#unstable.status(sessionId);
  }

  setSessionTitle(sessionId: string, title: string): Promise<string> {
    return this.#sessions.get(sessionId)?.setTitle(title) ?? this.#unstable.setTitle(sessionId, title);
  }

  authStatus(): Promise<AuthStatusResponse> {
    return this.#unstable.authStatus();
  }

  authenticate(methodId: string, { meta }: MetaOptions = {}): Promise<void> {
    return this.#authentication.authenticate(methodId, meta);
  }

  async logout({ meta }: MetaOptions = {}): Promise<void> {
    requireOffer(this.#calls.facts, 'logout', 'logout');
    await this.#calls.call('logout', (peer, options) => peer.logout(options), meta);
  }

  answer(questionId: string, answer: unknown): boolean {
    return this.#services.questions.answer(questionId, answer);
  }

  trace(options: TraceOptions): () => void {
    return this.#links.trace(options);
  }

  request(method: string, params?: unknown, { signal }: { readonly signal?: AbortSignal } = {}): Promise<unknown> {
    return this.#calls.call(method, (peer, options) =>
      peer.connection.request(method, params, signal ? { ...options, signal } : options),
    );
  }

  notify(method: string, params?: unknown): void {
    void this.#links.link.peer.connection.notify(method, params);
  }

  pause(): void {
    this.#links.pause();
  }

  resume(): void {
    this.#links.resume();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#registry.cancelAll();
    await this.#services.endAll();
    await this.#links.close();
  }

  #createLinks(clock: Clock, random: () => number, versions: Versions | undefined): ReconnectingLink {
    const opening = linkOptions({
      source: this.#source,
      options: this.#options,
      clock,
      random,
      versions,
      services: this.#services,
      onPhase: (event) => {
        this.#options.onPhase?.(event);
        this.#emitter.emit('phase', event);
      },
      onDiagnostic: (diagnostic) => this.#tell(diagnostic),
    });
    return new ReconnectingLink({
      ...opening,
      onLost: async (error, mayReturn) => {
        this.#registry.loseAll(error, mayReturn);
        await this.#services.endAll();
      },
      onReconnecting: () => this.#setState('reconnecting'),
      onRestored: async () => {
        if (await this.#registry.restoreAll()) this.#setState('connected');
      },
      onEnd: (error) => {
        this.#watchdog?.stop();
        this.#registry.loseAll(error ?? new UsageError('connection_closed', 'The connection was closed.'), false);
        this.#sessions.clear();
        this.#setState('closed');
        this.#resolveClosed(error);
      },
    });
  }

  #tell(diagnostic: ClientDiagnostic): void {
    this.#options.onDiagnostic?.(diagnostic);
    this.#emitter.emit('diagnostic', diagnostic);
  }

  #setState(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#emitter.emit('state', state);
  }
}
