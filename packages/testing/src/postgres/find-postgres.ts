import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Need } from '../needs/index.ts';

/** Where Debian and its kin keep the programs of each version. */
const VERSIONS = '/usr/lib/postgresql';

/** The folder with `initdb` and `postgres` on this machine, of the newest version there is; undefined without one. */
export function findPostgres(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env.PARLEY_POSTGRES_BIN;
  const versions = existsSync(VERSIONS)
    ? readdirSync(VERSIONS)
        .sort((left, right) => Number(right) - Number(left))
        .map((version) => join(VERSIONS, version, 'bin'))
    : [];
  const folders = [...(named ? [named] : []), ...versions, ...(env.PATH ?? '').split(delimiter)];
  return folders.find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))));
}

export const POSTGRES: Need = {
  isMet: findPostgres() !== undefined,
  reason: 'no PostgreSQL found (apt-get install postgresql)',
};
