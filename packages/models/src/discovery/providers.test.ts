import { isModelKey } from '@parley/host/secrets';
import { expect, it } from 'vitest';
import { PROVIDERS } from './providers.ts';

it('reads keys only from variables that are kept from child processes by their names', () => {
  const variables = PROVIDERS.flatMap(({ keys, tokens = [] }) => [...keys, ...tokens]);
  expect(variables.filter((name) => !isModelKey(name))).toEqual([]);
  expect(['PATH', 'HOME', 'SSH_AUTH_SOCK', 'PGPASSWORD'].filter(isModelKey)).toEqual([]);
});
