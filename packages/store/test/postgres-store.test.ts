import { describe } from 'vitest';
import { postgresStore } from '../src/postgres/postgres-store.ts';
import { hasPostgres, usePostgres } from './places.ts';
import { sessionLogCases } from './session-log-cases.ts';

describe.skipIf(!hasPostgres)('a database', () => {
  const server = usePostgres();
  let schemas = 0;
  sessionLogCases('in PostgreSQL', (options) =>
    postgresStore({ ...options, url: server().url, schema: `cases_${++schemas}`, poolSize: 4 }),
  );
});
