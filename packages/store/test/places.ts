import { findPostgres, type PostgresServer, startPostgres } from '@parley/testing/postgres';
import { afterAll, beforeAll } from 'vitest';
import { temporaryPaths } from './temporary-folder.ts';

/** A kind of store that processes share. */
export interface SharedPlace {
  readonly name: string;
  /** Why it cannot be tried on this machine. */
  readonly isMissing: boolean;
  /** A new and empty place. */
  newPlace(): Promise<string>;
}

/** Whether there is a PostgreSQL server to be started here. Says so once where there is none. */
export const hasPostgres: boolean = findPostgres() !== undefined;
if (!hasPostgres) {
  process.stderr.write(
    'PostgreSQL is not on this machine (Debian: postgresql); tests of the store on it are skipped.\n',
  );
}

/** A server for the tests of a file, from its first test to its last. */
export function usePostgres(options: Parameters<typeof startPostgres>[0] = {}): () => PostgresServer {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres(options);
  });
  afterAll(async () => server?.[Symbol.asyncDispose]());
  return () => {
    if (!server) throw new Error('The server is started before the tests begin, where there is one.');
    return server;
  };
}

/** Where the stores are that several processes use at once: a file, and a database. */
export function sharedPlaces(): readonly SharedPlace[] {
  const newPath = temporaryPaths();
  const server = hasPostgres ? usePostgres() : undefined;
  return [
    { name: 'SQLite', isMissing: false, newPlace: async () => newPath() },
    { name: 'PostgreSQL', isMissing: !hasPostgres, newPlace: async () => (await server?.().newDatabase()) ?? '' },
  ];
}
