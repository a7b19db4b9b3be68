import { needs } from '@parley/testing/needs';
import { POSTGRES } from '@parley/testing/postgres';
import { describe, it } from 'vitest';
import { postgresStore } from '../src/postgres/postgres-store.ts';
import { check, limits, onDisk } from './model-check.ts';
import { usePostgres } from './places.ts';

describe('any sequence of calls in PostgreSQL', needs(POSTGRES), () => {
  const server = usePostgres();

  it('leaves a store as the model says, also when it is opened again or abandoned in between', async () => {
    let schemas = 0;
    await check(onDisk, 10, () => {
      const schema = `model_${++schemas}`;
      return (now) => postgresStore({ url: server().url, schema, limits, now, poolSize: 3 });
    });
  }, 120_000);
});
