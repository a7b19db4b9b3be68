import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where sessions are kept by default: `$XDG_STATE_HOME/parley/sessions.db`, else under `~/.local/state`. */
export function defaultStorePath(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const state = environment.XDG_STATE_HOME;
  // The XDG specification says that a relative path in one of its variables is to be ignored.
  const base = state && isAbsolute(state) ? state : join(homedir(), '.local', 'state');
  return join(base, 'parley', 'sessions.db');
}
