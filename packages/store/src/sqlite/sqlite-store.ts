import { resolve } from 'node:path';
import { createClock } from '../backend/clock.ts';
import type { Backend } from '../backend/operations.ts';
import { StoreError } from '../contract/errors.ts';
import { requireWholeNumbers } from '../contract/require.ts';
import type { SessionStore } from '../contract/session-log.ts';
import { createSessionStore, type StoreOptions } from '../log/create-session-store.ts';
import { openLate } from '../node/open-late.ts';
import { newOwner } from '../node/process-owner.ts';

export interface SqliteStoreOptions extends StoreOptions {
  /** The database file. Default: `$XDG_STATE_HOME/parley/sessions.db`, else under `~/.local/state`. */
  readonly path?: string;
  /** The most the file may grow to; beyond it, append fails with `store_full`. Default: as much as the disk holds. */
  readonly maxBytes?: number;
  /** How long to wait for another process that is writing. Default: 5 seconds. */
  readonly busyTimeoutMs?: number;
  /** How often to look for events that other processes have written, while somebody follows or watches. Default: 50 ms. */
  readonly pollIntervalMs?: number;
}

const DEFAULT_BUSY_TIMEOUT_MS = 5000;
const DEFAULT_POLL_INTERVAL_MS = 50;

/**
 * The store on this machine's disk, shared by all processes that name the same file. Making one costs nothing: the
 * file, the thread and the database driver are first touched by the first call.
 */
export function sqliteStore(options: SqliteStoreOptions = {}): SessionStore {
  const path = options.path === undefined ? undefined : requirePath(options.path);
  requireWholeNumbers('The session store', options, ['maxBytes', 'busyTimeoutMs', 'pollIntervalMs']);
  const backend = openLate(() => openBackend({ ...options, path }), { newOwner });
  return createSessionStore(backend, options);
}

async function openBackend(
  options: Omit<SqliteStoreOptions, 'path'> & { readonly path: string | undefined },
): Promise<Backend> {
  const [{ ThreadBackend }, { defaultStorePath }] = await Promise.all([
    import('./thread-backend.ts'),
    import('./location.ts'),
  ]);
  const { path = defaultStorePath(), maxBytes } = options;
  const { busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, pollIntervalMs = DEFAULT_POLL_INTERVAL_MS } = options;
  return new ThreadBackend({ path, maxBytes, busyTimeoutMs, pollIntervalMs, now: createClock(options.now) });
}

/** The file stays the same when the process changes its directory; and SQLite's names for other things are not files. */
function requirePath(path: string): string {
  if (path === ':memory:')
    throw new StoreError('invalid_input', 'Nothing lasts in ":memory:"; use memoryStore() instead.');
  if (path === '' || path.includes('\0') || path.startsWith('file:')) {
    throw new StoreError(
      'invalid_input',
      `${JSON.stringify(path)} is not the path of a file; name one for the session store.`,
    );
  }
  return resolve(path);
}
