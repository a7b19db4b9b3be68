import { join } from 'node:path';
import { NoHomeError, stateHome } from '@parley/host/places';
import { StoreError } from '../contract/errors.ts';

/** Where sessions are kept by default: `$XDG_STATE_HOME/parley/sessions.db`, else under `~/.local/state`. */
export function defaultStorePath(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  try {
    return join(stateHome(environment), 'parley', 'sessions.db');
  } catch (error) {
    if (!(error instanceof NoHomeError)) throw error;
    const message =
      'There is no home directory to keep sessions in; set HOME or XDG_STATE_HOME to an absolute path, or name a file for the session store.';
    throw new StoreError('store_unavailable', message, { cause: error });
  }
}
