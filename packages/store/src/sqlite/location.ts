import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { StoreError } from '../errors.ts';

/** Where sessions are kept by default: `$XDG_STATE_HOME/parley/sessions.db`, else under `~/.local/state`. */
export function defaultStorePath(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const state = environment.XDG_STATE_HOME;
  // The XDG specification says that a relative path in one of its variables is to be ignored.
  const base = state && isAbsolute(state) ? state : join(findHome(), '.local', 'state');
  return join(base, 'parley', 'sessions.db');
}

/** HOME may be empty or relative, and a user without an entry in the system's list has no home at all. */
function findHome(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // The next one may know.
    }
  }
  const message =
    'There is no home directory to keep sessions in; set HOME or XDG_STATE_HOME to an absolute path, or name a file for the session store.';
  throw new StoreError('store_unavailable', message);
}
