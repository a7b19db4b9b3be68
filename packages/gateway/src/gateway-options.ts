import type { Agent, ServeOptions } from '@parley/agent';
import type { AgentSource } from '@parley/client';
import type { CloseReason, Transport } from '@parley/jsonrpc';
import type { ListenOptions } from '@parley/transports/listen';
import type { CapsSetting } from './caps/caps.ts';
import type { GatewayEvent } from './events/gateway-event.ts';
import type { HostOptions } from './host/host-options.ts';
import type { HostedAgent } from './host/hosted-agent.ts';
import type { ClientListener } from './serve-all.ts';
import type { SessionChange, SessionsPage, SessionsQuery } from './sessions/gateway-session.ts';
import type { TrafficBatch, TrafficOptions, TrafficQuery } from './traffic/traffic-options.ts';

export interface GatewayOptions extends Omit<HostOptions, 'connect'> {
  /** The agents by name: where one is reached that somebody else has written, one that is hosted already, or one of your own. */
  readonly agents: Readonly<Record<string, AgentSource | HostedAgent | Agent>>;
  /** The one that clients get who name none. Default: the first. */
  readonly defaultAgent?: string;
  /** How agents are spoken to: all in the same way, or each by its name. */
  readonly connect?: HostOptions['connect'] | ((agent: string) => HostOptions['connect']);
  /** What each principal may have at most: the same for all, or for each by name. Default: as much as there is. */
  readonly caps?: CapsSetting;
  /** Hears of everything that happens, as it happens. Must not throw. `@parley/gateway/operations` has what to do with it. */
  readonly onEvent?: (event: GatewayEvent) => void;
  /** Keeps the last messages of all wires for `watchTraffic`. Default: false. */
  readonly traffic?: boolean | TrafficOptions;
}

export interface GatewayServeOptions extends ServeOptions {
  /** Which agent the client gets. Default: the gateway's default. */
  readonly agent?: string;
  /** From where the client has come, for events. A listener reports it. */
  readonly remote?: string;
}

export interface GatewayListenOptions extends Omit<ListenOptions, 'names'> {
  /** What becomes of turns when their client is gone. Default: `keep`. */
  readonly whenClientLeaves?: ServeOptions['whenClientLeaves'];
  /** How clients word ACP; `auto` finds out. Default: `canonical`. */
  readonly dialect?: ServeOptions['dialect'];
}

/** A port of a gateway. */
export interface GatewayListener extends AsyncDisposable {
  /** Where the default agent is dialled. */
  readonly url: string;
  readonly port: number;
  /** Where an agent is dialled. */
  urlOf(name: string): string;
  /** Accepts nobody any more, and ends the connections. The agents go on. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** What goes on in a gateway at one moment. */
export interface GatewayState {
  /** Whether new work is welcome. */
  readonly isReady: boolean;
  /** Why not, in words; empty when it is. */
  readonly reasons: readonly string[];
  readonly agents: readonly AgentState[];
  /** Clients that are connected. */
  readonly connections: number;
  readonly turns: number;
  /** Questions that wait for an answer. */
  readonly questions: number;
}

export interface AgentState {
  readonly name: string;
  /** 0 for an agent of your own, which runs in this process. */
  readonly processes: number;
  /** Sessions that are open. */
  readonly sessions: number;
  readonly turns: number;
}

/** Several agents behind one face, with sessions that outlive connections and processes. */
export interface Gateway extends AsyncDisposable {
  /** The names of the agents. */
  readonly names: readonly string[];
  readonly defaultAgent: string;
  readonly state: GatewayState;
  /** The state, after the store was asked whether it answers; takes a second at most. */
  check(): Promise<GatewayState>;
  /** An agent by its name; undefined when there is none of that name. */
  agentFor(name?: string): Pick<HostedAgent, 'serve'> | undefined;
  /** Serves one client, or every client that a listener accepts. Each agent has sessions of its own, also for the same principal. */
  serve(wire: Transport | ClientListener, options?: GatewayServeOptions): Promise<CloseReason>;
  /**
   * Opens a port: the default agent is at `/acp`, each agent at `/acp/<name>`. A client that is cut off finds its session again; see
   * `listen` of `@parley/transports/listen` for who is let in.
   */
  listen(options: GatewayListenOptions): Promise<GatewayListener>;
  /**
   * The sessions of a principal over all agents, with what goes on in them. They come from the store of the gateway, which agents of
   * your own must share; without one there are none.
   */
  sessions(query: SessionsQuery): Promise<SessionsPage>;
  /** What changes in them from now on, until the signal aborts. Several changes of one session may be told as one. */
  watchSessions(query: { readonly principal: string; readonly signal: AbortSignal }): AsyncIterable<SessionChange>;
  /**
   * What has passed and what passes on the wires of a principal's clients and agents, cleaned of secrets, until the signal aborts.
   * Undefined unless the gateway was told to keep it (`traffic`).
   */
  watchTraffic(query: TrafficQuery): AsyncIterable<TrafficBatch> | undefined;
  /**
   * Prepares the end: is not ready any more, refuses new turns in words, and lets those that run come to their end for `graceMs`
   * (default: 30 s). What still runs then ends as interrupted, in the log too. The agents that are hosted are stopped. Clients stay
   * connected and may read, until their port is closed.
   */
  drain(options?: { readonly graceMs?: number }): Promise<void>;
  /** Ends the connections, cancels the turns that run, and stops the agents. Sessions stay in the store, which is whose it was. */
  close(): Promise<void>;
}
