import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire to a server, as a machine has it that falls asleep. */
export interface SleepyWire extends AsyncDisposable {
  /** Where a browser finds the server by this wire. */
  readonly origin: string;
  /** Nothing comes through any more; the server sees that everybody is gone, and nobody else sees anything. */
  sleep(): void;
  /** New connections go through. Of those from before the sleep a browser closes what it may; a WebSocket stays, silent for ever. */
  wake(): void;
}

export async function openSleepyWire(port: number): Promise<SleepyWire> {
  let isAsleep = false;
  const pairs = new Set<{ readonly near: Socket; readonly far: Socket }>();
  const nears = new Set<Socket>();
  const webSockets = new Set<Socket>();
  const server = createServer((near) => {
    nears.add(near);
    near.on('error', () => {});
    near.on('close', () => nears.delete(near));
    near.once('data', (data) => /^upgrade: websocket/im.test(data.toString('latin1')) && webSockets.add(near));
    if (isAsleep) return;
    const far = connect(port, '127.0.0.1');
    const pair = { near, far };
    pairs.add(pair);
    far.on('error', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
    near.on('close', () => pairs.has(pair) && far.destroy());
    far.on('close', () => pairs.delete(pair) && near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sleep() {
      isAsleep = true;
      for (const pair of pairs) {
        pairs.delete(pair);
        pair.near.unpipe(pair.far);
        pair.far.unpipe(pair.near);
        // What still arrives is thrown away.
        pair.near.resume();
        pair.far.destroy();
      }
    },
    wake() {
      isAsleep = false;
      for (const near of nears) if (!webSockets.has(near)) near.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const near of nears) near.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
