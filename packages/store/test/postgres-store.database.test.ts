import { needs } from '@parley/testing/needs';
import { POSTGRES } from '@parley/testing/postgres';
import { describe } from 'vitest';
import { postgresStore } from '../src/postgres/postgres-store.ts';
import { usePostgres } from './places.ts';
import { sessionLogCases } from './session-log-cases.ts';

describe('a database', needs(POSTGRES), () => {
  const server = usePostgres();
  let schemas = 0;
  sessionLogCases('in PostgreSQL', (options) =>
    postgresStore({ ...options, url: server().url, schema: `cases_${++schemas}`, poolSize: 4 }),
  );
});
