import { canCloseSession, kindOfError } from '@parley/protocol';
import { Authentication } from '../auth/authentication.ts';
import { type Clock, SYSTEM_CLOCK } from '../clock.ts';
import type { ClientDiagnostic } from '../diagnostics.ts';
import { Emitter } from '../emitter.ts';
import { UsageError } from '../errors.ts';
import { type ClientLimits, DEFAULT_CLIENT_LIMITS } from '../limits.ts';
import type { AgentFacts, AgentPeer, CallOptions, Meta } from '../peer/agent-peer.ts';
import { ClientServices } from '../services/client-services.ts';
import type { ClientSession, SessionHost } from '../session/live-session.ts';
import { SessionOpener } from '../session/session-opener.ts';
import { isSessionLost, SessionRecovery } from '../session/session-recovery.ts';
import { SessionRouter } from '../session/session-router.ts';
import { type TraceOptions, traceConnection } from '../trace/trace.ts';
import type { ConnectionEvents, ConnectionState } from './agent-connection.ts';
import { type ConnectOptions, DEFAULT_CLIENT_INFO } from './connect-options.ts';
import { Link } from './link/link.ts';
import { DEFAULT_DEADLINES, type Phase } from './link/phases.ts';
import { LinkKeeper, RECONNECT_DEFAULTS } from './link/reconnecting-link.ts';
import { SAFE_TO_REPEAT, withRetry } from './link/retry.ts';
import { Watchdog } from './link/silence-watchdog.ts';
import type { AgentEnd, AgentSource } from './source/agent-source.ts';
import { UnstableCalls } from './unstable-calls.ts';

/** The inside of a connection: what outlives a single link to the agent. `AgentConnection` is its public face. */
export class ConnectionCore {
  readonly source: AgentSource;
  readonly emitter: Emitter<ConnectionEvents> = new Emitter();
  readonly sessions: Map<string, ClientSession> = new Map();
  readonly router: SessionRouter;
  readonly services: ClientServices;
  readonly opener: SessionOpener;
  readonly unstable: UnstableCalls;
  readonly recovery: SessionRecovery;
  readonly authentication: Authentication;
  readonly sessionHost: SessionHost;
  readonly links: LinkKeeper;
  readonly closed: Promise<unknown>;
  state: ConnectionState = 'connected';
  readonly #options: ConnectOptions;
  readonly #clock: Clock;
  readonly #limits: ClientLimits;
  readonly #watchdog: Watchdog | undefined;
  readonly #traces: Set<TraceOptions>;
  #closing: Promise<void> | undefined;
  #resolveClosed: (error: unknown) => void = () => {};

  constructor(source: AgentSource, options: ConnectOptions) {
    this.source = source;
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#limits = { ...DEFAULT_CLIENT_LIMITS, ...options.limits };
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#traces = new Set(options.trace && [options.trace]);
    this.router = new SessionRouter(this.#limits.maxEarlyUpdates);
    this.#watchdog =
      options.watchdog &&
      new Watchdog({
        ...options.watchdog,
        clock: this.#clock,
        agent: source.name,
        isPaused: () => this.links.isPaused,
        isWaitingForPerson: (sessionId) => this.sessions.get(sessionId ?? '')?.state === 'waiting',
      });
    this.services = new ClientServices({
      options,
      source,
      clock: this.#clock,
      limits: this.#limits,
      router: this.router,
      watchdog: this.#watchdog,
      sessionOf: (sessionId) => this.sessions.get(sessionId),
      onQuestion: (question) => this.emitter.emit('question', question),
      onAuthStatus: (status) => this.emitter.emit('auth', status),
      onSubagent: (told) => this.emitter.emit('subagent', told),
      onFailure: (error) => this.report({ kind: 'handler_failed', message: 'A handler of this client failed.', error }),
    });
    this.links = this.#createLinkKeeper();
    this.sessionHost = this.#createSessionHost();
    this.authentication = new Authentication({
      source,
      options: options.auth ?? {},
      link: () => this.links.link,
      restart: () => this.links.restart(),
    });
    this.unstable = new UnstableCalls(this, options);
    this.opener = new SessionOpener(this);
    this.recovery = new SessionRecovery(this, options.onSessionLost);
  }

  get facts(): AgentFacts {
    return this.links.link.facts;
  }

  get peer(): AgentPeer {
    return this.links.link.peer;
  }

  inspect(): AgentEnd {
    return this.links.link.inspect();
  }

  /** Opens the first link. */
  open(): Promise<void> {
    return this.links.open(this.#options.signal);
  }

  /** Makes a call outside the phases: with a deadline, and again where that is safe and may help. */
  call<Result>(
    method: string,
    work: (peer: AgentPeer, options: CallOptions) => Promise<Result>,
    meta?: Meta,
  ): Promise<Result> {
    const options = { timeoutMs: this.#limits.requestTimeoutMs, meta };
    return this.#repeat(method, () => this.#callOnce(method, (link) => work(link.peer, options)));
  }

  /** Makes one of the calls that open a session. */
  runPhase<Result>(phase: Phase, work: (peer: AgentPeer, options: CallOptions) => Promise<Result>): Promise<Result> {
    return this.#repeat(phase, () =>
      this.#callOnce(phase, (link) => link.runPhase(phase, (signal) => work(link.peer, { signal })), { phase }),
    );
  }

  /** Records messages from now on, through reconnects. Returns a function that ends it. */
  trace(options: TraceOptions): () => void {
    this.#traces.add(options);
    const stop = traceConnection(this.peer.connection, options, this.#clock);
    return () => {
      this.#traces.delete(options);
      stop();
    };
  }

  report(diagnostic: Omit<ClientDiagnostic, 'suppressed'>): void {
    this.#tell({ ...diagnostic, suppressed: 0 });
  }

  #tell(diagnostic: ClientDiagnostic): void {
    this.#options.onDiagnostic?.(diagnostic);
    this.emitter.emit('diagnostic', diagnostic);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const session of this.sessions.values()) if (session.turn) this.sessionHost.stop(session.id);
    await this.services.endAll();
    await this.links.close();
  }

  async #callOnce<Result>(
    method: string,
    work: (link: Link) => Promise<Result>,
    { phase, sessionId }: { readonly phase?: Phase; readonly sessionId?: string } = {},
  ): Promise<Result> {
    const link = await this.links.ready();
    const stopWaiting = this.#watchdog?.wait(method, sessionId);
    try {
      return await work(link);
    } catch (error) {
      throw link.explain(error, phase);
    } finally {
      stopWaiting?.();
    }
  }

  #repeat<Result>(method: string, call: () => Promise<Result>): Promise<Result> {
    const { retry, random = Math.random } = this.#options;
    if (retry === false || !SAFE_TO_REPEAT.has(method)) return call();
    return withRetry(call, {
      ...retry,
      random,
      clock: this.#clock,
      signal: this.links.signal,
      onRetry: ({ attempt, pauseMs, error }) =>
        this.report({
          kind: 'retrying',
          message: `${method} failed (attempt ${attempt}); trying again in ${Math.round(pauseMs)} ms.`,
          direction: 'out',
          method,
          error,
        }),
    });
  }

  #createLinkKeeper(): LinkKeeper {
    const { reconnect = false, random = Math.random } = this.#options;
    return new LinkKeeper({
      ...RECONNECT_DEFAULTS,
      clock: this.#clock,
      random,
      mayReconnect: reconnect && !('isOnce' in this.source),
      open: (signal) => this.#openLink(signal),
      onLost: async (error) => {
        for (const session of this.sessions.values()) session.lose(error);
        await this.services.endAll();
      },
      onReconnecting: () => this.#setState('reconnecting'),
      onRestored: async () => {
        await this.recovery.restoreAll();
        this.#setState('connected');
      },
      onEnd: (error) => {
        this.#watchdog?.stop();
        const reason = error ?? new UsageError('connection_closed', 'The connection was closed.');
        for (const session of this.sessions.values()) session.lose(reason);
        this.sessions.clear();
        this.#setState('closed');
        this.#resolveClosed(error);
      },
    });
  }

  #openLink(signal: AbortSignal | undefined): Promise<Link> {
    const { deadlines, clientInfo = DEFAULT_CLIENT_INFO, dialect, onPhase } = this.#options;
    return Link.open({
      source: this.source,
      clock: this.#clock,
      deadlines: { ...DEFAULT_DEADLINES, ...deadlines },
      onPhase: (event) => {
        onPhase?.(event);
        this.emitter.emit('phase', event);
      },
      onDiagnostic: (diagnostic) => this.#tell(diagnostic),
      traces: this.#traces,
      duties: this.services.duties,
      offer: { clientInfo, capabilities: this.services.capabilities, meta: this.#options.meta },
      isPaused: () => this.links.isPaused,
      dialect,
      signal,
    });
  }

  #createSessionHost(): SessionHost {
    const core = this;
    const { customContent, imageMimeTypes, audioMimeTypes } = this.#options;
    return {
      clock: this.#clock,
      limits: this.#limits,
      get unstable() {
        return core.unstable;
      },
      promptRules: { customContent, imageMimeTypes, audioMimeTypes },
      get facts() {
        return core.facts;
      },
      prompt: (sessionId, prompt, options) =>
        core.recovery.around(
          sessionId,
          (id) => core.#callOnce('session/prompt', (link) => link.peer.prompt(id, prompt, options), { sessionId: id }),
          (session) => !session.hasProgress,
        ),
      stop(sessionId, meta) {
        // By the way that prompts take, so that a cancel right behind a prompt does not overtake it.
        core.links.ready().then(
          ({ peer }) => peer.cancel(sessionId, meta),
          () => {},
        );
        core.services.desk.cancel(sessionId);
      },
      setMode: (sessionId, modeId, meta) =>
        core.recovery.around(sessionId, (id) =>
          core.call('session/set_mode', (peer, options) => peer.setMode(id, modeId, options), meta),
        ),
      setOption: (sessionId, { optionId, value }, meta) =>
        core.recovery.around(sessionId, (id) =>
          core.call('session/set_config_option', (peer, options) => peer.setOption(id, optionId, value, options), meta),
        ),
      close: (session, meta) => core.#closeSession(session, meta),
    };
  }

  async #closeSession(session: ClientSession, meta: Meta | undefined): Promise<void> {
    const { id } = session;
    try {
      await this.services.endSession(id);
      if (session.state !== 'lost' && canCloseSession(this.facts.capabilities)) {
        await this.call('session/close', (peer, options) => peer.closeSession(id, options), meta);
      }
    } catch (error) {
      // A session that the agent no longer has is as closed as it can be.
      if (!isSessionLost(error) && kindOfError(error) !== 'resource_not_found') throw error;
    } finally {
      this.router.remove(id, session);
      if (this.sessions.get(id) === session) this.sessions.delete(id);
    }
  }

  #setState(state: ConnectionState): void {
    if (this.state === state) return;
    this.state = state;
    this.emitter.emit('state', state);
  }
}
