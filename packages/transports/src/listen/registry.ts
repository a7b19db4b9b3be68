import type { Transport } from '@parley/jsonrpc';
import type { ListenLimits } from './limits.ts';
import type { Refusal } from './server/exchange.ts';

/** A connection as the listener sees it, whatever its wire. */
export interface OpenConnection extends Transport {
  readonly principal: string;
  /** Sends signs of life, drops what is dead, ends what is idle. Called about once a second, or more often. */
  tick(now: number): void;
  /** Since when nobody has used it; undefined while somebody reads it. */
  readonly idleSince: number | undefined;
  fail(error: Error): void;
  /** Resolves when it is closed, in good order if that takes no longer than this. */
  shutDown(timeoutMs: number): Promise<void>;
}

/** At the limit, a connection that was abandoned for this long makes room for a new one. */
const ABANDONED_MS = 1000;
const RETRY_AFTER_SECONDS = '5';

/** All connections that are open; the one place that counts them. */
export class ConnectionRegistry {
  readonly #limits: ListenLimits;
  readonly #onRemove: (connection: OpenConnection) => void;
  readonly #open = new Set<OpenConnection>();
  readonly #perPrincipal = new Map<string, number>();
  #isClosed = false;

  constructor(limits: ListenLimits, onRemove: (connection: OpenConnection) => void) {
    this.#limits = limits;
    this.#onRemove = onRemove;
  }

  /** Why one more cannot be let in now. Makes room if it can. */
  refuse(principal: string): Refusal | undefined {
    if (this.#isClosed) return busy('The server shuts down');
    const { maxConnections, maxConnectionsPerPrincipal } = this.#limits;
    const own = this.#perPrincipal.get(principal) ?? 0;
    const most =
      typeof maxConnectionsPerPrincipal === 'function'
        ? maxConnectionsPerPrincipal(principal)
        : maxConnectionsPerPrincipal;
    if (own >= most && !this.#makeRoom(principal)) {
      return busy('Too many connections of yours are open');
    }
    if (this.#open.size >= maxConnections && !this.#makeRoom()) return busy('Too many connections are open');
    return undefined;
  }

  add(connection: OpenConnection): void {
    const { principal } = connection;
    this.#open.add(connection);
    this.#perPrincipal.set(principal, (this.#perPrincipal.get(principal) ?? 0) + 1);
  }

  remove(connection: OpenConnection): void {
    if (!this.#open.delete(connection)) return;
    this.#onRemove(connection);
    const left = (this.#perPrincipal.get(connection.principal) ?? 1) - 1;
    if (left > 0) this.#perPrincipal.set(connection.principal, left);
    else this.#perPrincipal.delete(connection.principal);
  }

  tick(now: number): void {
    for (const connection of this.#open) connection.tick(now);
  }

  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((connection) => connection.shutDown(timeoutMs)));
  }

  /** Ends the connection that was abandoned longest ago. */
  #makeRoom(principal?: string): boolean {
    let oldest: OpenConnection | undefined;
    let since = Date.now() - ABANDONED_MS;
    for (const connection of this.#open) {
      const { idleSince } = connection;
      if (principal !== undefined && connection.principal !== principal) continue;
      if (idleSince === undefined || idleSince > since) continue;
      oldest = connection;
      since = idleSince;
    }
    oldest?.fail(new Error('The connection was abandoned, and its place was needed.'));
    return oldest !== undefined;
  }
}

function busy(message: string): Refusal {
  return { status: 503, message, headers: { 'retry-after': RETRY_AFTER_SECONDS } };
}
