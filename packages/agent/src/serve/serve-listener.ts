import type { CloseReason, Transport } from '@parley/jsonrpc';
import { type AgentAtWork, whileServing } from '../service/agent-at-work.ts';
import { type ServeOptions, serveTransport } from './serve.ts';

/** Where clients come in, one after the other, until it is closed. `listen` of `@parley/transports/listen` makes one. */
export interface ConnectionListener {
  readonly connections: AsyncIterable<{
    readonly transport: Transport;
    readonly principal?: string;
    readonly via?: string;
  }>;
  close(): Promise<void>;
}

/**
 * Serves every client that a listener accepts, until the listener is closed and each of them is gone. A network breaks, so
 * turns go on without their client unless the options say otherwise; but with the last listener they end, since nobody can
 * come back to them.
 */
export async function serveListener(
  agent: AgentAtWork,
  listener: ConnectionListener,
  options: ServeOptions,
): Promise<CloseReason> {
  agent.listeners.add(listener);
  try {
    return await whileServing(agent, listener, acceptAll(agent, listener, options));
  } finally {
    agent.listeners.delete(listener);
    if (agent.listeners.size === 0) await agent.runtime?.registry.endUnwatched();
  }
}

async function acceptAll(
  agent: AgentAtWork,
  listener: ConnectionListener,
  options: ServeOptions,
): Promise<CloseReason> {
  const { signal, ...rest } = options;
  const onAbort = (): void => void listener.close();
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const served = new Set<Promise<unknown>>();
  for await (const { transport, principal, via } of listener.connections) {
    const serving = serveTransport(agent, transport, {
      whenClientLeaves: 'keep',
      ...rest,
      ...(principal !== undefined && { principal }),
      ...(via !== undefined && { via }),
    })
      // One client must not end the others; its own connection is over.
      .catch(() => transport.close())
      .finally(() => served.delete(serving));
    served.add(serving);
  }
  await Promise.all(served);
  signal?.removeEventListener('abort', onAbort);
  return { kind: 'closed' };
}
