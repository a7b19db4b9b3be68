import type { Need } from '@parley/testing/needs';
import { POSTGRES, type PostgresServer, startPostgres } from '@parley/testing/postgres';
import { afterAll, beforeAll } from 'vitest';
import { temporaryPaths } from './temporary-folder.ts';

/** A kind of store that processes share. */
export interface SharedPlace {
  readonly name: string;
  /** Of its tests: the server, where it has one. */
  readonly need: Need;
  /** A new and empty place. */
  newPlace(): Promise<string>;
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
  const server = POSTGRES.isMet ? usePostgres() : undefined;
  return [
    { name: 'SQLite', need: { isMet: true, reason: '' }, newPlace: async () => newPath() },
    { name: 'PostgreSQL', need: POSTGRES, newPlace: async () => (await server?.().newDatabase()) ?? '' },
  ];
}
