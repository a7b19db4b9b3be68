import pg from 'pg';

const MAX_STATEMENT_MS = 30_000;
/** A transaction that hangs holds up everybody who wants the same session: a stopped process must not do that for long. */
const MAX_IDLE_IN_TRANSACTION_MS = 1000;
const MAX_LOCK_WAIT_MS = 5000;
export const CONNECT_MS = 5000;

/** How to connect, for the pool and for the connections beside it. */
export function connectOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'parley',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    statement_timeout: MAX_STATEMENT_MS,
    // The last resort: a connection that went silent is found long before.
    query_timeout: MAX_STATEMENT_MS + CONNECT_MS,
    lock_timeout: MAX_LOCK_WAIT_MS,
    idle_in_transaction_session_timeout: MAX_IDLE_IN_TRANSACTION_MS,
    types: { getTypeParser: parserOf },
  };
}

const BIGINT = 20;

/** All our whole numbers are well within what JavaScript counts exactly. */
function parserOf(oid: number, format?: 'text' | 'binary'): unknown {
  return oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text');
}

/** The parts of a socket that the driver has no methods for. */
interface DriverSocket {
  readonly bytesRead: number;
  unref(): void;
  destroy(): void;
}

export function socketOf(client: pg.ClientBase): DriverSocket {
  return (client as unknown as { readonly connection: { readonly stream: DriverSocket } }).connection.stream;
}
