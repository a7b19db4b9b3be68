import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from '@parley/host/command-line';
import type { SessionStore } from '@parley/store';
import { postgresStore } from '@parley/store/postgres';
import { sqliteStore } from '@parley/store/sqlite';

/** Where sessions are kept: the path of a file, or the address of a PostgreSQL database. */
export type StorePlace = string;

export function isDatabase(place: StorePlace): boolean {
  return /^postgres(ql)?:\/\//i.test(place);
}

/** A place as it was written: an address stays as it is, a path is found from a folder. */
export function readStorePlace(word: string, findPath: (path: string) => string): StorePlace {
  if (isDatabase(word)) return word;
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(word)?.[1];
  if (scheme === undefined) return findPath(word);
  throw new CliError('usage', `Sessions cannot be kept at a place that begins with ${scheme}://.`, {
    next: ['--store <file>', '--store postgres://user@host:5432/database'],
  });
}

/** A place as it may be shown and logged: an address may have a password in it. */
export function showStorePlace(place: StorePlace): string {
  if (!isDatabase(place) || !URL.canParse(place)) return place;
  const { host, pathname, username } = new URL(place);
  return `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

/** Opens nothing and loads no driver yet: that is up to the first call. */
export function openStorePlace(place: StorePlace): SessionStore {
  return isDatabase(place) ? postgresStore({ url: place }) : sqliteStore({ path: place });
}

/** The place of a store that must be there: opening a file would make it. */
export function requireStorePlace(word: string, cwd: string): StorePlace {
  const place = readStorePlace(word, (path) => resolve(cwd, path));
  if (isDatabase(place) || existsSync(place)) return place;
  throw new CliError('no_session', `There is no file ${place}.`, { next: ['parley serve --json   (names its store)'] });
}
