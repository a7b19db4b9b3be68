import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A balancer for TCP: each connection goes to the next server that takes it, and it knows nothing of what is said. */
export interface Balancer extends AsyncDisposable {
  readonly port: number;
  /** Which servers it knows. */
  setPorts(ports: readonly number[]): void;
  /** How many connections each port has got. */
  readonly counts: ReadonlyMap<number, number>;
}

export async function startBalancer(): Promise<Balancer> {
  const counts = new Map<number, number>();
  const sockets = new Set<Socket>();
  let known: readonly number[] = [];
  let turn = 0;

  const pass = (client: Socket, tries: number): void => {
    const port = known[turn++ % Math.max(known.length, 1)];
    if (port === undefined || tries === 0) {
      client.destroy();
      return;
    }
    const server = connect(port, '127.0.0.1');
    server.once('connect', () => {
      counts.set(port, (counts.get(port) ?? 0) + 1);
      client.pipe(server).pipe(client);
    });
    let isUp = false;
    server.once('connect', () => {
      isUp = true;
    });
    server.on('error', () => (isUp ? client.destroy() : pass(client, tries - 1)));
    server.on('close', () => isUp && client.destroy());
    client.on('close', () => server.destroy());
  };
  const listener = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {});
    client.on('close', () => sockets.delete(client));
    pass(client, known.length);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    counts,
    setPorts: (ports) => {
      known = ports;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
