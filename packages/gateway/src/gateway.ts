import { randomUUID } from 'node:crypto';
import { type Agent, type AgentActivity, DEFAULT_PRINCIPAL } from '@parley/agent';
import type { AgentSource } from '@parley/client';
import { ParleyError, RpcError } from '@parley/jsonrpc';
import { Accounts } from './caps/accounts.ts';
import { Monitor } from './events/monitor.ts';
import type { Gateway, GatewayOptions } from './gateway-options.ts';
import { hostAgent } from './host/host-agent.ts';
import type { HostedAgent } from './host/hosted-agent.ts';
import { refuseClient } from './host/refuse-client.ts';
import { openPort } from './open-port.ts';
import { ownedSession, principalIn } from './principal-in.ts';
import { serveAll } from './serve-all.ts';
import { ServedClients } from './served-clients.ts';
import { SessionOverview } from './sessions/session-overview.ts';
import { openOnce, StoreHealth } from './store-health.ts';
import { Traffic } from './traffic/traffic.ts';
import { withinTime } from './within-time.ts';

type Served = HostedAgent | Agent;

const DEFAULT_GRACE_MS = 30_000;
const DRAINING = 'This server is about to stop or restart and begins nothing new; try again in a moment.';
const INTERRUPTED =
  'The turn was interrupted: the server that ran it is about to stop. What was said until then is kept.';
const REASONS = {
  starting: 'The gateway starts.',
  draining: 'The gateway drains.',
  closed: 'The gateway is closed.',
} as const;

/** Puts agents behind one face. */
export function gateway(options: GatewayOptions): Gateway {
  return new AgentGateway(options);
}

class AgentGateway implements Gateway {
  readonly names: readonly string[];
  readonly defaultAgent: string;
  readonly #served: ReadonlyMap<string, Served>;
  readonly #monitor: Monitor;
  readonly #accounts: Accounts;
  readonly #store: StoreHealth;
  readonly #overview: SessionOverview;
  readonly #traffic: Traffic | undefined;
  readonly #clients: ServedClients;
  readonly #sessions = new Map<string, number>();
  #phase: 'open' | 'starting' | 'draining' | 'closed' = 'open';
  #hasStarted = false;
  #hasServed = false;
  #draining: Promise<void> | undefined;

  constructor({ agents, defaultAgent, caps, onEvent, traffic, ...options }: GatewayOptions) {
    this.names = Object.keys(agents);
    this.#monitor = new Monitor(onEvent);
    this.#accounts = new Accounts(caps, this.#monitor);
    this.defaultAgent = this.#requireAgent(agents, defaultAgent ?? this.names[0]);
    const store = options.store && openOnce(options.store);
    this.#store = new StoreHealth(store, (error) =>
      this.#monitor.tell({
        kind: 'store_changed',
        isWritable: error === undefined,
        ...(error !== undefined && { error }),
      }),
    );
    this.#overview = new SessionOverview(this.names, store);
    this.#traffic = traffic ? new Traffic(traffic === true ? {} : traffic) : undefined;
    this.#clients = new ServedClients({
      monitor: this.#monitor,
      accounts: this.#accounts,
      overview: this.#overview,
      traffic: this.#traffic,
      whyRefused: () => (this.#draining ? DRAINING : undefined),
    });
    const hosting = { ...options, ...(store && { store }) };
    this.#served = new Map(this.names.map((name) => [name, this.#serveAs(name, agents[name] as Served, hosting)]));
    for (const [name, served] of this.#served) this.#watch(name, served);
  }

  get state(): Gateway['state'] {
    const reasons: string[] = this.#phase === 'open' ? [] : [REASONS[this.#phase]];
    if (this.#store.isFailing) reasons.push('The store of sessions cannot be written.');
    else if (this.#store.isSilent) reasons.push('The store of sessions does not answer.');
    return {
      isReady: reasons.length === 0,
      reasons,
      agents: [...this.#served].map(([name, served]) => ({
        name,
        processes: 'processes' in served ? served.processes.length : 0,
        sessions: this.#sessions.get(name) ?? 0,
        turns: this.#monitor.turnsOf(name),
      })),
      connections: this.#clients.count,
      turns: this.#monitor.turns,
      questions: this.#monitor.questions,
    };
  }

  async check(): Promise<Gateway['state']> {
    if (this.#phase === 'open') await this.#store.check();
    return this.state;
  }

  agentFor(name: string = this.defaultAgent): Served | undefined {
    return this.#served.get(name);
  }

  readonly serve: Gateway['serve'] = async (wire, options = {}) => {
    if ('connections' in wire) return serveAll(wire, options, this.serve);
    const { agent: name = this.defaultAgent, principal = DEFAULT_PRINCIPAL } = options;
    const served = this.#served.get(name);
    if (!served) throw unknownAgent(name, this.names);
    const place = this.#accounts.of(principal).connect();
    if (typeof place === 'function') {
      this.#hasServed = true;
      return this.#clients.serve(wire, served, { ...options, agent: name, principal }).finally(place);
    }
    this.#monitor.tell({ kind: 'client_refused', message: place.message, principal, suppressed: 0 });
    return refuseClient(wire, place);
  };

  readonly listen: Gateway['listen'] = async (options) => {
    const { names } = this;
    const connectionsOf = (principal: string): number => this.#accounts.of(principal).caps.connections;
    const monitor = this.#monitor;
    const port = await openPort(options, { names, serve: this.serve, monitor, connectionsOf });
    void this.#start();
    return port;
  };

  readonly sessions: Gateway['sessions'] = (query) => this.#overview.list(query);

  readonly watchSessions: Gateway['watchSessions'] = (query) => this.#overview.watch(query);

  readonly watchTraffic: Gateway['watchTraffic'] = (query) => this.#traffic?.watch(query);

  drain({ graceMs = DEFAULT_GRACE_MS }: { readonly graceMs?: number } = {}): Promise<void> {
    this.#draining ??= this.#drain(graceMs);
    return this.#draining;
  }

  async close(): Promise<void> {
    const wasOpen = this.#phase !== 'closed';
    this.#phase = 'closed';
    this.#store.close();
    await Promise.all([...this.#served.values()].map((each) => each.close()));
    // One that never came to serve has not ended either.
    if (wasOpen && this.#hasServed) this.#monitor.tell({ kind: 'state_changed', state: 'closed' });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A store that cannot be written is known before somebody needs it. */
  async #start(): Promise<void> {
    if (this.#phase !== 'open' || this.#hasStarted) return;
    this.#hasStarted = true;
    this.#phase = 'starting';
    await this.#store.probe();
    if (this.#phase !== 'starting') return;
    this.#phase = 'open';
    this.#hasServed = true;
    this.#monitor.tell({ kind: 'state_changed', state: 'ready' });
  }

  async #drain(graceMs: number): Promise<void> {
    if (this.#phase === 'closed') return;
    this.#phase = 'draining';
    this.#monitor.tell({ kind: 'state_changed', state: 'draining' });
    const all = [...this.#served.values()];
    for (const each of all) each.drain(DRAINING);
    await withinTime(this.#monitor.whenIdle(), graceMs);
    await Promise.all(all.map((each) => each.interrupt(INTERRUPTED)));
    await Promise.all(all.map((each) => ('stop' in each ? each.stop() : undefined)));
  }

  #serveAs(name: string, given: Served | AgentSource, options: Omit<GatewayOptions, 'agents'>): Served {
    if ('serve' in given) return given;
    const { onDiagnostic = this.#monitor.isHeard ? () => {} : undefined, connect, ...hosting } = options;
    const spoken = typeof connect === 'function' ? connect(name) : connect;
    return hostAgent(
      given,
      {
        ...hosting,
        ...(spoken && { connect: spoken }),
        ...(onDiagnostic && {
          onDiagnostic: (diagnostic) => {
            if (diagnostic.kind === 'log_failed') void this.#store.probe();
            this.#monitor.tell({ kind: 'diagnostic', agent: name, diagnostic });
            onDiagnostic(diagnostic);
          },
        }),
      },
      {
        admitProcess: (owner) => this.#admitProcess(principalIn(name, owner)),
        onProcess: (change) => this.#monitor.seeProcess(name, principalIn(name, change.principal), change),
        openTraffic: (owner, sessionOf) =>
          this.#traffic?.openAgent({
            agent: name,
            connection: randomUUID().slice(0, 8),
            principal: principalIn(name, owner),
            sessionOf: (id) => ownedSession(name, sessionOf(id)),
          }),
      },
    );
  }

  #admitProcess(principal: string | undefined): () => void {
    if (principal === undefined) return () => {};
    const place = this.#accounts.of(principal).startProcess();
    if (place instanceof RpcError) throw place;
    return place;
  }

  #watch(name: string, served: Served): void {
    served.observe((activity) => {
      const principal = principalIn(name, activity.principal);
      if (principal === undefined) return;
      this.#accounts.see(name, principal, activity);
      this.#overview.see(name, principal, activity);
      // It may have failed since it could not be saved.
      if (isFailedTurn(activity)) void this.#store.probe();
      const change = activity.kind === 'session_opened' ? 1 : activity.kind === 'session_closed' ? -1 : 0;
      if (change !== 0) this.#sessions.set(name, (this.#sessions.get(name) ?? 0) + change);
      this.#monitor.see({ agent: name, principal }, activity);
    });
  }

  #requireAgent(agents: GatewayOptions['agents'], name: string | undefined): string {
    if (name !== undefined && Object.hasOwn(agents, name)) return name;
    throw unknownAgent(name ?? '', this.names);
  }
}

function isFailedTurn(activity: AgentActivity): boolean {
  return activity.kind === 'recorded' && activity.entry.type === 'turn_ended' && activity.entry.error !== undefined;
}

function unknownAgent(name: string, names: readonly string[]): ParleyError {
  return new ParleyError('unknown_agent', `There is no agent "${name}"; there are ${names.join(', ') || 'none'}.`);
}
