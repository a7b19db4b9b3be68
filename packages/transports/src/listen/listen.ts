import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AcceptedQueue } from './accepted-queue.ts';
import { ListenError } from './listen-error.ts';
import type { Listener, ListenOptions } from './listener.ts';
import { ConnectionRegistry } from './registry.ts';
import { createRouter } from './server/router.ts';
import { createServers } from './server/servers.ts';
import { type ListenSettings, readOptions } from './settings.ts';

const DEFAULT_GRACE_MS = 5000;

/**
 * Opens a port for clients of an agent: WebSocket and streamable HTTP at `/acp`, HTTP+SSE at `/acp/rpc` and `/acp/sse`,
 * plain POST at `/acp/post`. Every request passes the guard: `Host`, `Origin`, and the token or `authorize`.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const settings = readOptions(options);
  const { limits } = settings;
  const accepted = new AcceptedQueue();
  const registry = new ConnectionRegistry(limits, (connection) => accepted.remove(connection));
  const context = { limits, registry, accept: accepted.push.bind(accepted) };
  const servers = createServers(settings, createRouter(settings, context));
  await bind(servers.server, settings);
  const ticking = setInterval(() => registry.tick(Date.now()), tickMs(settings)).unref();
  let closing: Promise<void> | undefined;

  const closeAll = async (graceMs: number): Promise<void> => {
    servers.server.close();
    await registry.close(graceMs);
    accepted.close();
    clearInterval(ticking);
    servers.destroy();
  };
  const close = ({ graceMs = DEFAULT_GRACE_MS }: { readonly graceMs?: number } = {}): Promise<void> => {
    closing ??= closeAll(graceMs);
    return closing;
  };

  return {
    ...describeAddress(servers.server, settings),
    connections: accepted,
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

async function bind(server: Server, { address }: ListenSettings): Promise<void> {
  const isSocket = 'socketPath' in address;
  if (isSocket) listenOnSocket(server, address);
  else server.listen({ host: address.host, port: address.port });
  try {
    await once(server, 'listening');
  } catch (error) {
    const where = isSocket ? address.socketPath : authority(address.host, address.port);
    throw ListenError.because(error as NodeJS.ErrnoException, where);
  }
}

/** Node binds the socket before `listen` returns, so the mask holds from the first moment and for nothing else. */
function listenOnSocket(
  server: Server,
  { socketPath, socketMode }: { readonly socketPath: string; readonly socketMode: number },
): void {
  const mask = process.umask(0o777 & ~socketMode);
  try {
    server.listen({ path: socketPath });
  } finally {
    process.umask(mask);
  }
}

function describeAddress(server: Server, { address, path, tls }: ListenSettings): { url: string; port: number } {
  if ('socketPath' in address) return { url: `unix:${address.socketPath}`, port: 0 };
  const { port } = server.address() as AddressInfo;
  return { url: `${tls ? 'https' : 'http'}://${authority(address.host, port)}${path}`, port };
}

function authority(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Often enough for the shortest of the times that it watches over. */
function tickMs({ limits }: ListenSettings): number {
  const { idleMs, postIdleMs, stallMs, pingMs, keepAliveMs, sseKeepAliveMs, initializeMs } = limits;
  const shortest = Math.min(idleMs, postIdleMs, stallMs, pingMs, keepAliveMs, sseKeepAliveMs, initializeMs);
  return Math.max(10, Math.min(1000, shortest / 4));
}
