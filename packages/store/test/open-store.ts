import type { SessionStore } from '../src/index.ts';
import { postgresStore } from '../src/postgres/postgres-store.ts';
import { sqliteStore } from '../src/sqlite/sqlite-store.ts';

/** The store at a place: the address of a database, or the path of a file. */
export function openStore(place: string, options: { readonly pollIntervalMs?: number } = {}): SessionStore {
  return place.startsWith('postgres:')
    ? postgresStore({ url: place, poolSize: 4, retryMs: 30_000, ...options })
    : sqliteStore({ path: place, ...options });
}
