import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Fault, FaultKind } from './fault.ts';
import { ProxiedConnection } from './proxied-connection.ts';

export interface FaultProxyOptions {
  /** The server behind it. */
  readonly port: number;
  readonly host?: string;
  /** Where all that is random begins. Default: 1. */
  readonly seed?: number;
  /** The faults of each connection, by its number from 0. Those that `next` was given come first. */
  readonly plan?: (index: number) => readonly Fault[];
}

export interface FaultProxyStats {
  /** Connections that have come, and those that are open now. */
  readonly accepted: number;
  readonly open: number;
  readonly bytesToClient: number;
  readonly bytesToServer: number;
  /** How often each fault has happened. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
}

/** A TCP proxy on loopback that does to connections what networks do to them. */
export interface FaultProxy extends AsyncDisposable {
  readonly port: number;
  /** Those that are open, oldest first; each can be told a fault at a moment. */
  readonly connections: readonly ProxiedConnection[];
  readonly stats: FaultProxyStats;
  /** The faults of one connection to come: the next one, or the one after those that were told of before. */
  next(...faults: readonly Fault[]): void;
  /** Does it to all that are open. */
  apply(fault: Fault): void;
  /** From now on, connections have these instead of the plan. */
  always(...faults: readonly Fault[]): void;
  close(): Promise<void>;
}

export async function startFaultProxy({
  port,
  host = '127.0.0.1',
  seed = 1,
  plan = () => [],
}: FaultProxyOptions): Promise<FaultProxy> {
  const open = new Set<ProxiedConnection>();
  const everyone = new Set<ProxiedConnection>();
  const held: ProxiedConnection[] = [];
  const told: (readonly Fault[])[] = [];
  const counts: Partial<Record<FaultKind, number>> = {};
  const bytes = { to_client: 0, to_server: 0 };
  let faultsOf = plan;
  let accepted = 0;

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (client) => {
    const index = accepted++;
    const faults = told.shift() ?? faultsOf(index);
    const connection: ProxiedConnection = new ProxiedConnection({
      index,
      client,
      target: { host, port },
      seed,
      onFault: (kind) => {
        counts[kind] = (counts[kind] ?? 0) + 1;
      },
      onForwarded: (way, count) => {
        bytes[way] += count;
        if (way === 'to_client') letHeldThrough(index);
      },
      onThrough: () => client.resume(),
      onEnd: () => open.delete(connection),
    });
    open.add(connection);
    everyone.add(connection);
    client.once('close', () => everyone.delete(connection));
    for (const fault of faults) connection.apply(fault);
    if (faults.some(({ kind }) => kind === 'refuse' || kind === 'silent')) return;
    if (faults.some(({ kind }) => kind === 'hold')) held.push(connection);
    else connection.forward();
  });

  function letHeldThrough(through: number): void {
    for (const connection of held.splice(0)) {
      if (connection.index < through) connection.forward();
      else held.push(connection);
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const connection of [...open, ...everyone]) connection.destroy();
    open.clear();
    await closed;
  };

  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return [...open];
    },
    get stats() {
      const { to_client: bytesToClient, to_server: bytesToServer } = bytes;
      return { accepted, open: open.size, bytesToClient, bytesToServer, faults: { ...counts } };
    },
    next: (...faults) => void told.push(faults),
    apply(fault) {
      for (const connection of open) connection.apply(fault);
    },
    always(...faults) {
      faultsOf = () => faults;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
