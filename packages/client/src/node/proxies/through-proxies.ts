import { type Connection, createConnection, RpcError } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import type { AgentSource, AgentWire } from '../../source/agent-source.ts';

/**
 * An agent behind proxies, the first of which is nearest to us. What we say goes through all of them to the agent, and what
 * the agent says back through all of them; this is the conductor that stands between. Unstable in the protocol.
 */
export function throughProxies(agent: AgentSource, proxies: readonly AgentSource[]): AgentSource {
  if (proxies.length === 0) return agent;
  return {
    ...agent,
    name: [...proxies, agent].map(({ name }) => name).join(' | '),
    async open(signal, report) {
      const wires: AgentWire[] = [];
      try {
        for (const source of [...proxies, agent]) wires.push(await source.open(signal, report));
      } catch (error) {
        await Promise.allSettled(wires.map(({ transport }) => transport.close()));
        throw error;
      }
      const [near, far] = createMemoryPair();
      conduct(
        createConnection(far),
        wires.map(({ transport }) => createConnection(transport)),
      );
      const last = wires.at(-1);
      return { transport: near, ...(last?.inspect && { inspect: () => last.inspect?.() ?? {} }) };
    },
  };
}

const SUCCESSOR = 'proxy/successor';

/** Joins a client, proxies and an agent, in this order. When one of them ends, all do. */
function conduct(client: Connection, components: readonly Connection[]): void {
  const all = [client, ...components];
  for (const connection of all) {
    void connection.closed.then(() => Promise.allSettled(all.map((each) => each.close())));
  }
  const isProxy = (place: number): boolean => place < components.length - 1;

  /** Towards the agent: plain, but a component that has a successor is told that it is a proxy. */
  const down = (place: number, method: string): [Connection | undefined, string] => [
    components[place],
    method === 'initialize' && isProxy(place) ? 'proxy/initialize' : method,
  ];
  client.onAnyRequest(({ method, params, signal }) => {
    const [to, name] = down(0, method);
    return request(to, name, params, signal);
  });
  client.onAnyNotification((params, method) => void components[0]?.notify(method, params));

  for (const [place, component] of components.entries()) {
    if (isProxy(place)) {
      component.onRequest(SUCCESSOR, ({ params, signal }) => {
        const envelope = readEnvelope(params);
        const [to, name] = down(place + 1, envelope.method);
        return request(to, name, envelope.params, signal);
      });
      component.onNotification(SUCCESSOR, (params) => {
        const envelope = readEnvelope(params);
        void components[place + 1]?.notify(envelope.method, envelope.params);
      });
    }
    // Towards the client: to a proxy in an envelope, so that it knows from which side it comes.
    const before = components[place - 1];
    component.onAnyRequest(({ method, params, signal }) =>
      before ? request(before, SUCCESSOR, { method, params }, signal) : request(client, method, params, signal),
    );
    component.onAnyNotification((params, method) => {
      if (before) void before.notify(SUCCESSOR, { method, params });
      else void client.notify(method, params);
    });
  }
}

/** Errors pass as they are; a request that is cancelled on one side is cancelled on the other. */
function request(to: Connection | undefined, method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
  if (!to) throw RpcError.internalError('There is nobody behind this proxy.');
  return to.request(method, params, { signal });
}

function readEnvelope(value: unknown): { readonly method: string; readonly params: unknown } {
  const { method, params } = (value ?? {}) as { readonly method?: unknown; readonly params?: unknown };
  if (typeof method !== 'string') throw RpcError.invalidParams('method: expected string');
  return { method, params };
}
