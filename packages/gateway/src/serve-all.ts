import type { Agent, ServeOptions } from '@parley/agent';
import type { CloseReason, Transport } from '@parley/jsonrpc';

/** Where clients come in, one after the other. `listen` of `@parley/transports/listen` makes one. */
export type ClientListener = Extract<Parameters<Agent['serve']>[0], { readonly connections: unknown }>;

/** What a listener of ours tells of a client beside who it is. */
interface Arrival {
  readonly name?: string;
  readonly remote?: string;
}

/** Serves every client that a listener accepts, until the listener is closed and each of them is gone. */
export async function serveAll<Options extends ServeOptions>(
  listener: ClientListener,
  { signal, ...options }: Options,
  serve: (transport: Transport, options: Omit<Options, 'signal'>) => Promise<unknown>,
): Promise<CloseReason> {
  const onAbort = (): void => void listener.close();
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const served = new Set<Promise<unknown>>();
  for await (const accepted of listener.connections) {
    const { transport, principal, name, via, remote } = accepted as typeof accepted & Arrival;
    const given = {
      ...(principal !== undefined && { principal }),
      ...(name !== undefined && { agent: name }),
      ...(via !== undefined && { via }),
      ...(remote !== undefined && { remote }),
    };
    const serving = serve(transport, { ...options, ...given })
      // One client must not end the others; its own connection is over.
      .catch(() => transport.close())
      .finally(() => served.delete(serving));
    served.add(serving);
  }
  await Promise.all(served);
  signal?.removeEventListener('abort', onAbort);
  return { kind: 'closed' };
}
