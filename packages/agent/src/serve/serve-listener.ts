import type { CloseReason, Transport } from '@parley/jsonrpc';
import { acceptAll } from '@parley/jsonrpc/internal';
import { type AgentAtWork, whileServing } from '../service/agent-at-work.ts';
import { type ServeOptions, serveTransport } from './serve.ts';

/** Where clients come in, one after the other, until it is closed. `listen` of `@parley/transports/listen` makes one. */
export interface ConnectionListener {
  readonly connections: AsyncIterable<AcceptedClient>;
  close(): Promise<void>;
}

/** A client that a listener has accepted. */
interface AcceptedClient {
  readonly transport: Transport;
  readonly principal?: string;
  readonly via?: string;
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
  const { signal, ...rest } = options;
  const serve = ({ transport, principal, via }: AcceptedClient): Promise<CloseReason> =>
    serveTransport(agent, transport, {
      whenClientLeaves: 'keep',
      ...rest,
      ...(principal !== undefined && { principal }),
      ...(via !== undefined && { via }),
    });
  agent.listeners.add(listener);
  try {
    return await whileServing(agent, listener, acceptAll(listener, serve, signal));
  } finally {
    agent.listeners.delete(listener);
    if (agent.listeners.size === 0) await agent.runtime?.registry.endUnwatched();
  }
}
