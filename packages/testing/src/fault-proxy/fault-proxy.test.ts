import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Fault, type FaultProxy, type FaultProxyOptions, randomFaults, startFaultProxy } from './index.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('the fault proxy', () => {
  it('lets everything through in both directions, and the end as well', async () => {
    const { proxy, dial } = await openEcho();
    const client = await dial();
    client.end('hello');
    expect(await client.text()).toBe('hello');
    expect(proxy.stats).toMatchObject({ accepted: 1, bytesToClient: 5, bytesToServer: 5, faults: {} });
    await until(() => proxy.stats.open === 0);
  });

  it('cuts in the middle of what is said', async () => {
    const { proxy, dial, served } = await openEcho();
    proxy.next({ kind: 'cut', afterBytes: 3 });
    const client = await dial();
    client.write('hello');
    expect(await client.text()).toBe('hel');
    expect(client.error).toBeUndefined();
    await until(() => served[0]?.destroyed === true);
    expect(proxy.stats).toMatchObject({ open: 0, bytesToClient: 3, faults: { cut: 1 } });
  });

  it('resets both ends', async () => {
    const { proxy, dial, errors } = await openEcho();
    proxy.next({ kind: 'reset', afterBytes: 2, way: 'to_server' });
    const client = await dial();
    client.write('hello');
    await until(() => client.error !== undefined && errors.length === 1);
    expect(client.error).toMatchObject({ code: 'ECONNRESET' });
    expect(errors).toMatchObject([{ code: 'ECONNRESET' }]);
  });

  it('breaks an open connection at a moment', async () => {
    const { proxy, dial } = await openEcho();
    const client = await dial();
    client.write('a');
    await until(() => client.received === 'a');
    proxy.apply({ kind: 'reset' });
    await until(() => client.error !== undefined);
    expect(proxy.stats.faults).toEqual({ reset: 1 });
  });

  it.each(['to_client', 'to_server'] as const)('stops forwarding %s without closing', async (stops) => {
    const { proxy, dial, served } = await openEcho();
    proxy.next({ kind: 'half_open', afterBytes: 1, stops });
    const client = await dial();
    client.write('a');
    await until(() => client.received === 'a');
    client.write('b');
    const arrives = stops === 'to_client' ? 2 : 1;
    await until(() => served[0]?.bytesRead === arrives);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(client.received).toBe('a');
    if (stops === 'to_client') served[0]?.destroy();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(client.hasEnded).toBe(false);
    expect(proxy.stats).toMatchObject({ open: 1, faults: { half_open: 1 } });
  });

  it('delays every piece, and keeps their order whatever the jitter', async () => {
    const { proxy, dial } = await openEcho();
    proxy.next({ kind: 'latency', ms: 20, jitterMs: 20 });
    const client = await dial();
    const startedAt = Date.now();
    for (let n = 0; n < 10; n += 1) {
      client.write(String(n));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => client.received.length === 10);
    expect(client.received).toBe('0123456789');
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(39);
  });

  it('slows down to so many bytes a second', async () => {
    const { proxy, dial } = await openEcho();
    proxy.next({ kind: 'slow', bytesPerSecond: 1000, way: 'to_client' });
    const client = await dial();
    const startedAt = Date.now();
    client.write('x'.repeat(100));
    await until(() => client.received.length === 100);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(75);
  });

  it('lets the second connection through before the first', async () => {
    const { proxy, dial, served } = await openEcho();
    proxy.next({ kind: 'hold' });
    const first = await dial();
    first.write('first');
    const second = await dial();
    await until(() => served.length === 1);
    expect(first.received).toBe('');
    second.write('second');
    await until(() => first.received === 'first');
    expect(second.received).toBe('second');
  });

  it('refuses, and accepts without a word', async () => {
    const { proxy, dial, served } = await openEcho();
    proxy.next({ kind: 'refuse' });
    proxy.next({ kind: 'silent' });
    const refused = await dial();
    await until(() => refused.error !== undefined);
    const silent = await dial();
    silent.write('anybody?');
    const third = await dial();
    third.write('x');
    await until(() => third.received === 'x');
    expect(silent.received).toBe('');
    expect(silent.hasEnded).toBe(false);
    expect(served).toHaveLength(1);
    expect(proxy.stats).toMatchObject({ accepted: 3, open: 2, faults: { refuse: 1, silent: 1 } });
  });

  it('slows a sender down whose receiver does not read', async () => {
    const { dial, served } = await openEcho({ isEcho: false });
    const client = await dial();
    await until(() => served.length === 1);
    served[0]?.pause();
    for (let sent = 0; sent < 32; sent += 1) client.write('x'.repeat(1024 * 1024));
    let unsent = 0;
    while (unsent !== client.unsent) {
      unsent = client.unsent;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(client.unsent).toBeGreaterThan(0);
  });

  it('breaks connections alike for the same seed', () => {
    const faults = (seed: number): Fault[][] =>
      Array.from({ length: 20 }, (_, index) => [...randomFaults({ seed, count: 15, maxBytes: 1000 })(index)]);
    expect(faults(7)).toEqual(faults(7));
    expect(faults(7)).not.toEqual(faults(8));
    expect(faults(7).filter((each) => each.length > 0)).toHaveLength(15);
  });
});

async function openEcho({ isEcho = true, ...options }: Partial<FaultProxyOptions> & { isEcho?: boolean } = {}) {
  const served: Socket[] = [];
  const errors: Error[] = [];
  const server = createServer((socket) => {
    served.push(socket);
    socket.on('error', (error) => errors.push(error));
    if (isEcho) socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: FaultProxy = await startFaultProxy({ port: (server.address() as AddressInfo).port, ...options });
  cleanups.push(
    () => server.close(),
    () => {
      for (const socket of served) socket.destroy();
    },
    () => proxy.close(),
  );
  return { proxy, served, errors, dial: () => dialProxy(proxy.port) };
}

async function dialProxy(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const client = {
    received: '',
    hasEnded: false,
    error: undefined as Error | undefined,
    get unsent() {
      return socket.writableLength;
    },
    write: (text: string) => socket.write(text),
    end: (text: string) => void socket.end(text),
    async text() {
      await until(() => client.hasEnded);
      return client.received;
    },
  };
  socket.on('data', (chunk) => {
    client.received += chunk;
  });
  socket.on('end', () => {
    client.hasEnded = true;
  });
  socket.on('error', (error) => {
    client.error = error;
  });
  cleanups.push(() => socket.destroy());
  await once(socket, 'connect').catch(() => {});
  return client;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
