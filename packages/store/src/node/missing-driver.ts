import { StoreError } from '../contract/errors.ts';

/** Drivers are optional peer dependencies: whoever keeps sessions in memory installs none. */
type Driver = 'libsql' | 'pg';

const KEEPS: Readonly<Record<Driver, string>> = { libsql: 'in a file', pg: 'in PostgreSQL' };

/** The error that names the package to install, where a driver could not be loaded; undefined for other failures. */
export function missingDriver(driver: Driver, error: unknown): StoreError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !/MODULE_NOT_FOUND$/.test(String(error.code)))
    return undefined;
  const [, missing = ''] = /^Cannot find (?:package|module) '([^']+)'/.exec(error.message) ?? [];
  // The binary of `libsql` is in a package of its own for each platform.
  if (missing !== driver && !missing.startsWith(`@${driver}/`)) return undefined;
  const message = `Keeping sessions ${KEEPS[driver]} needs the package "${driver}", which is not installed; run "npm install ${driver}".`;
  return new StoreError('driver_missing', message, { cause: error });
}
