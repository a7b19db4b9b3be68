import { createClock } from '../backend/clock.ts';
import type { Backend } from '../backend/operations.ts';
import { StoreError } from '../contract/errors.ts';
import { requireWholeNumbers } from '../contract/require.ts';
import type { SessionStore } from '../contract/session-log.ts';
import { createSessionStore, type StoreOptions } from '../log/create-session-store.ts';
import { missingDriver } from '../node/missing-driver.ts';
import { openLate } from '../node/open-late.ts';
import { newOwner } from '../node/process-owner.ts';

export interface PostgresStoreOptions extends StoreOptions {
  /**
   * `postgres://user@host:5432/database`. What it does not say comes from where PostgreSQL's own programs take it: `PGPASSWORD`,
   * the password file, `PGUSER` and so on. `?sslmode=verify-full` and its kin are understood.
   */
  readonly url: string;
  /** The schema that has the tables; it is made when it is not there. Default: `parley`. */
  readonly schema?: string;
  /** The most connections at once, besides one that listens. Default: 8. */
  readonly poolSize?: number;
  /** How long a call is tried again while the server is away or busy, as when it starts anew. Default: 10 seconds. */
  readonly retryMs?: number;
  /**
   * How long a statement may stay without an answer before the server is asked, over a new connection, whether it works on it. If it
   * does not, the connection is given up and the call tried again. Default: 1.5 seconds.
   */
  readonly silenceMs?: number;
  /** How often followers look for what others have written when they were told nothing. Default: one second. */
  readonly lookIntervalMs?: number;
  /** The same while the server cannot tell them. Default: 200 ms. */
  readonly pollIntervalMs?: number;
}

const DEFAULTS = { poolSize: 8, retryMs: 10_000, silenceMs: 1500, lookIntervalMs: 1000, pollIntervalMs: 200 };

/**
 * The store in a PostgreSQL database, shared by all programs on all machines that name the same one. Time is the database's.
 * Making one costs nothing: the driver is loaded and the server asked by the first call.
 */
export function postgresStore(options: PostgresStoreOptions): SessionStore {
  const url = requireUrl(options.url);
  requireWholeNumbers('The session store', options, Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]);
  const { poolSize, retryMs, silenceMs, lookIntervalMs: lookMs, pollIntervalMs: pollMs } = { ...DEFAULTS, ...options };
  const schema = options.schema ?? 'parley';
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(schema)) {
    throw new StoreError(
      'invalid_input',
      `${JSON.stringify(schema)} is no name for a schema here; use small letters, digits and _, 51 at most.`,
    );
  }
  const now = options.now && createClock(options.now);
  const backend: Backend = openLate(
    async () => {
      const { PostgresBackend } = await import('./postgres-backend.ts').catch((error: unknown) => {
        throw missingDriver('pg', error) ?? error;
      });
      return new PostgresBackend({ url, schema, poolSize, retryMs, silenceMs, lookMs, pollMs, now });
    },
    { newOwner, hasStrictLeases: true },
  );
  return createSessionStore(backend, options);
}

function requireUrl(url: string): string {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return url;
  // It may have a password, so it is not shown.
  throw new StoreError(
    'invalid_input',
    'The address of a PostgreSQL store looks like postgres://user@host:5432/database; this one does not.',
  );
}
