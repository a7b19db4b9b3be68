import type { Agent, ServeOptions } from '@parley/agent';
import { DEFAULT_PRINCIPAL } from '@parley/agent';
import type { AgentSource } from '@parley/client';
import { type CloseReason, ParleyError, type Transport } from '@parley/jsonrpc';
import type { ListenOptions } from '@parley/transports/listen';
import { type HostedAgent, hostAgent } from './host/host-agent.ts';
import type { HostOptions } from './host/host-options.ts';
import { type ClientListener, serveAll } from './serve-all.ts';

export interface GatewayOptions extends HostOptions {
  /** The agents by name: where one is reached that somebody else has written, one that is hosted already, or one of your own. */
  readonly agents: Readonly<Record<string, AgentSource | HostedAgent | Agent>>;
  /** The one that clients get who name none. Default: the first. */
  readonly defaultAgent?: string;
}

export interface GatewayServeOptions extends ServeOptions {
  /** Which agent the client gets. Default: the gateway's default. */
  readonly agent?: string;
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

/** Several agents behind one face, with sessions that outlive connections and processes. */
export interface Gateway extends AsyncDisposable {
  /** The names of the agents. */
  readonly names: readonly string[];
  readonly defaultAgent: string;
  /** An agent by its name; undefined when there is none of that name. */
  agentFor(name?: string): Pick<HostedAgent, 'serve'> | undefined;
  /** Serves one client, or every client that a listener accepts. Each agent has sessions of its own, also for the same principal. */
  serve(wire: Transport | ClientListener, options?: GatewayServeOptions): Promise<CloseReason>;
  /**
   * Opens a port: the default agent is at `/acp`, each agent at `/acp/<name>`. A client that is cut off finds its session again; see
   * `listen` of `@parley/transports/listen` for who is let in.
   */
  listen(options: GatewayListenOptions): Promise<GatewayListener>;
  /** Ends the connections, cancels the turns that run, and stops the agents. Sessions stay in the store, which is whose it was. */
  close(): Promise<void>;
}

/** Puts agents behind one face. */
export function gateway({ agents, defaultAgent, ...options }: GatewayOptions): Gateway {
  const names = Object.keys(agents);
  const first = defaultAgent ?? names[0];
  if (first === undefined || !Object.hasOwn(agents, first))
    throw new ParleyError(
      'unknown_agent',
      `There is no agent "${first ?? ''}"; there are ${names.join(', ') || 'none'}.`,
    );
  const served = new Map(
    names.map((name) => {
      const given = agents[name] as AgentSource | HostedAgent | Agent;
      return [name, 'serve' in given ? given : hostAgent(given, options)] as const;
    }),
  );
  const close = async (): Promise<void> => {
    await Promise.all([...served.values()].map((each) => ('close' in each ? each.close() : undefined)));
  };
  const serve: Gateway['serve'] = async (wire, options = {}) => {
    if ('connections' in wire) return serveAll(wire, options, serve);
    const { agent: name = first, principal = DEFAULT_PRINCIPAL, ...rest } = options;
    const chosen = served.get(name);
    if (!chosen) throw new ParleyError('unknown_agent', `There is no agent "${name}"; there are ${names.join(', ')}.`);
    // Sessions of one agent are unknown to the others, although they share a store.
    return chosen.serve(wire, { whenClientLeaves: 'keep', ...rest, principal: `${name}/${principal}` });
  };
  const openPort = async ({ whenClientLeaves, dialect, ...rest }: GatewayListenOptions): Promise<GatewayListener> => {
    const { listen } = await import('@parley/transports/listen');
    const listener = await listen({ ...rest, names });
    const options = { ...(whenClientLeaves && { whenClientLeaves }), ...(dialect && { dialect }) };
    const served = serveAll(listener, options, serve);
    const end = async (closing?: { readonly graceMs?: number }): Promise<void> => {
      await listener.close(closing);
      await served;
    };
    return {
      url: listener.url,
      port: listener.port,
      urlOf: (name) => `${listener.url}/${name}`,
      close: end,
      [Symbol.asyncDispose]: () => end(),
    };
  };
  return {
    names,
    defaultAgent: first,
    listen: openPort,
    agentFor: (name = first) => served.get(name),
    serve,
    close,
    [Symbol.asyncDispose]: close,
  };
}
