import type { Agent, ServeOptions } from '@parley/agent';
import type { CloseReason, Transport } from '@parley/jsonrpc';
import { acceptAll } from '@parley/jsonrpc/internal';

/** Where clients come in, one after the other. `listen` of `@parley/transports/listen` makes one. */
export type ClientListener = Extract<Parameters<Agent['serve']>[0], { readonly connections: unknown }>;

type Accepted = ClientListener['connections'] extends AsyncIterable<infer Each> ? Each : never;

/** What a listener of ours tells of a client beside who it is. */
interface Arrival {
  readonly name?: string;
  readonly remote?: string;
}

/** Serves every client that a listener accepts, until the listener is closed and each of them is gone. */
export function serveAll<Options extends ServeOptions>(
  listener: ClientListener,
  { signal, ...options }: Options,
  serve: (transport: Transport, options: Omit<Options, 'signal'>) => Promise<unknown>,
): Promise<CloseReason> {
  const serveOne = (accepted: Accepted & Arrival): Promise<unknown> => {
    const { transport, principal, name, via, remote } = accepted;
    const given = {
      ...(principal !== undefined && { principal }),
      ...(name !== undefined && { agent: name }),
      ...(via !== undefined && { via }),
      ...(remote !== undefined && { remote }),
    };
    return serve(transport, { ...options, ...given });
  };
  return acceptAll(listener, serveOne, signal);
}
