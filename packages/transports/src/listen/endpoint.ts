import type { ListenLimits } from './limits.ts';
import type { AcceptedConnection } from './listener.ts';
import type { ConnectionRegistry } from './registry.ts';
import type { Exchange, Refusal } from './server/exchange.ts';

/** What every endpoint needs of the listener that it belongs to. */
export interface EndpointContext {
  readonly limits: ListenLimits;
  readonly registry: ConnectionRegistry;
  /** Hands a new connection to whoever serves them. */
  readonly accept: (connection: AcceptedConnection) => void;
}

/** One path of a listener. The guard has let the request in already. */
export interface Endpoint {
  /** The methods it has, as the `Allow` header says them. */
  readonly methods: readonly string[];
  handle(exchange: Exchange): Promise<void>;
}

/** The agent does not take what the client posts as fast as it comes. */
export const BUSY: Refusal = {
  status: 503,
  message: 'Too much of this connection waits to be read',
  headers: { 'retry-after': '1' },
};
