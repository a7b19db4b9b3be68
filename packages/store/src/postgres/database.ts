import { type BackoffOptions, backoffMs } from '@parley/jsonrpc/internal';
import type pg from 'pg';
import { OperationError } from '../backend/operations.ts';
import { CONNECT_MS } from './connect-options.ts';
import { type Connection, Connections, type ConnectionsOptions } from './connections.ts';
import { openSchema } from './open-schema.ts';
import { isBroken, isPassing, toFault } from './postgres-fault.ts';

export type { Connection };

export interface DatabaseOptions extends ConnectionsOptions {
  readonly schema: string;
  /** How long a call is tried again while the server is away or busy. */
  readonly retryMs: number;
}

/** A transaction that writes. */
export interface Transaction {
  readonly connection: Connection;
  /** The time by the database's clock. */
  readonly nowMs: number;
}

const BACKOFF: BackoffOptions = { firstMs: 25, maxMs: 1000 };
/** How long a connection is waited for when the time for a call is nearly over. */
const LAST_CONNECT_MS = 2000;

const BEGIN = `BEGIN; SELECT pg_current_xact_id()::text AS xid, ${nowMs()} AS now_ms`;

/** The time by the database's clock as an expression: whole milliseconds since 1970. */
export function nowMs(): string {
  return 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
}

/**
 * The connections to one database. What fails because the server is away or busy is tried again, with growing pauses, until
 * it has been so for `retryMs`; a commit whose answer was lost is looked up, so that nothing is done twice and nothing is lost.
 */
export class Database {
  readonly place: string;
  readonly #options: DatabaseOptions;
  readonly #connections: Connections;
  #opening: Promise<void> | undefined;
  /** Since when nothing has worked. */
  #awaySinceMs: number | undefined;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.place = describe(options.url);
    this.#connections = new Connections(options);
  }

  /** Fails while a statement is without an answer for too long, or when the server gives none now. */
  async check(): Promise<void> {
    if (this.#connections.isSilent) throw toFault(new Silence(), { place: this.place, outcome: 'read' });
    await this.read((connection) => connection.query('SELECT 1'));
  }

  /** Only looks. */
  read<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#retried(() => this.#use(work), 'read');
  }

  /**
   * One commit. `work` may be called several times, each time in a new transaction of which nothing else was saved. `isThere` tells
   * whether what it wrote is to be found; without it, it may be done again.
   */
  async write<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    isThere: (connection: Connection, result: Result) => Promise<boolean> = async () => false,
  ): Promise<Result> {
    return this.#retried(async () => {
      let commit: { readonly xid: string; readonly result: Result } | undefined;
      try {
        return await this.#use(async (connection) => {
          // Several statements in one text have several results, which the driver's types do not know.
          const results = (await connection.query(BEGIN)) as unknown as readonly pg.QueryResult[];
          const rows: readonly unknown[] = results[1]?.rows ?? [];
          const { xid, now_ms: nowMs } = rows[0] as { readonly xid: string; readonly now_ms: number };
          try {
            const result = await work({ connection, nowMs });
            commit = { xid, result };
            await connection.query('COMMIT');
            return result;
          } catch (error) {
            if (!commit && !isBroken(error)) await connection.query('ROLLBACK');
            throw error;
          }
        });
      } catch (error) {
        if (!commit || !isBroken(error)) throw error;
        const { result } = commit;
        if (await this.#wasCommitted(commit.xid, (connection) => isThere(connection, result), error)) return result;
        throw new NotCommitted(error);
      }
    }, 'nothing');
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    await this.#connections.close();
  }

  async #use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    await this.#open();
    return this.#connections.use(work, this.#connectMs());
  }

  #connectMs(): number {
    if (this.#awaySinceMs === undefined) return CONNECT_MS;
    const leftMs = this.#awaySinceMs + this.#options.retryMs - performance.now();
    return Math.min(CONNECT_MS, Math.max(LAST_CONNECT_MS, leftMs));
  }

  /** The tables are made, or moved forward, before anything else. */
  #open(): Promise<void> {
    const { schema } = this.#options;
    const open = (connection: Connection): Promise<void> => openSchema(connection, { schema, place: this.place });
    this.#opening ??= this.#connections.use(open, this.#connectMs()).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /**
   * Whether a commit that was not answered has happened. The server knows it by the number; but after a crash it gives the numbers of
   * transactions that left nothing behind to others, so that one it calls committed may be another one.
   */
  async #wasCommitted(
    xid: string,
    isThere: (connection: Connection) => Promise<boolean>,
    cause: unknown,
  ): Promise<boolean> {
    try {
      return await this.#retried(
        () =>
          this.#use(async (connection) => {
            const status = await statusOf(connection, xid);
            if (status === 'in progress') throw new StillCommitting();
            if (status !== 'committed' && status !== 'aborted') throw cause;
            return status === 'committed' && (await isThere(connection));
          }),
        'read',
      );
    } catch {
      throw toFault(cause, { place: this.place, outcome: 'unknown' });
    }
  }

  async #retried<Result>(attempt: () => Promise<Result>, outcome: 'read' | 'nothing'): Promise<Result> {
    for (let failures = 1; ; failures += 1) {
      const startedAtMs = performance.now();
      try {
        const result = await attempt();
        this.#awaySinceMs = undefined;
        return result;
      } catch (error) {
        const fault = error instanceof NotCommitted ? error.cause : error;
        if (fault instanceof OperationError) throw fault;
        this.#awaySinceMs ??= Math.max(startedAtMs, this.#connections.answeredAtMs);
        const isWorthIt = fault instanceof StillCommitting || isPassing(fault);
        if (!isWorthIt || performance.now() - this.#awaySinceMs > this.#options.retryMs) {
          throw toFault(fault, { place: this.place, outcome });
        }
      }
      await new Promise((resolve) => setTimeout(resolve, backoffMs(failures, BACKOFF)));
    }
  }
}

const NOT_GIVEN_OUT = '22023';

/** What the server knows of a transaction by its number. */
async function statusOf(connection: Connection, xid: string): Promise<string | null | undefined> {
  try {
    const { rows } = await connection.query('SELECT pg_xact_status($1::xid8) AS status', [xid]);
    return (rows[0] as { readonly status: string | null } | undefined)?.status;
  } catch (error) {
    // A number that is still to come, after a crash: what had it has left nothing behind.
    if ((error as { readonly code?: unknown }).code === NOT_GIVEN_OUT) return 'aborted';
    throw error;
  }
}

/** The transaction whose commit was not answered is known not to have happened: it may be done again. */
class NotCommitted extends Error {
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super('The commit did not happen.');
    this.cause = cause;
  }
}

/** A statement has no answer. */
class Silence extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('a statement has had no answer for too long');
  }
}

/** The server has not noticed yet that the connection is gone. */
class StillCommitting extends Error {}

/** The address as it may be shown: without user and password. */
function describe(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
