import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ParleyError } from '@parley/jsonrpc';

type Environment = Readonly<Record<string, string | undefined>>;

/** Nothing tells where this person's files are. */
export class NoHomeError extends ParleyError {
  override readonly name = 'NoHomeError';

  constructor(variable: string) {
    super('no_home', `There is no home directory; set HOME or ${variable} to an absolute path.`);
  }
}

/** Where programs keep settings: `$XDG_CONFIG_HOME`, else `~/.config`. Throws `NoHomeError`. */
export function configHome(env: Environment = process.env): string {
  return xdg(env.XDG_CONFIG_HOME) ?? join(requireHome(env, 'XDG_CONFIG_HOME'), '.config');
}

/** Where programs keep what must outlive them: `$XDG_STATE_HOME`, else `~/.local/state`. Throws `NoHomeError`. */
export function stateHome(env: Environment = process.env): string {
  return xdg(env.XDG_STATE_HOME) ?? join(requireHome(env, 'XDG_STATE_HOME'), '.local', 'state');
}

/** Where programs keep what can be made again: `$XDG_CACHE_HOME`, else `~/.cache`. Throws `NoHomeError`. */
export function cacheHome(env: Environment = process.env): string {
  return xdg(env.XDG_CACHE_HOME) ?? join(requireHome(env, 'XDG_CACHE_HOME'), '.cache');
}

/** Where programs keep what only lives while something runs: `$XDG_RUNTIME_DIR`, which many systems do not set. */
export function runtimeHome(env: Environment = process.env): string | undefined {
  return xdg(env.XDG_RUNTIME_DIR);
}

/**
 * The person's home: `HOME`, else what the system says. HOME may be empty or relative, and a user without an entry in the
 * system's list has no home at all.
 */
export function findHome(env: Environment = process.env): string | undefined {
  for (const find of [() => env.HOME, homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (home && isAbsolute(home)) return home;
    } catch {
      // The next one may know.
    }
  }
  return undefined;
}

function requireHome(env: Environment, variable: string): string {
  const home = findHome(env);
  if (home === undefined) throw new NoHomeError(variable);
  return home;
}

/** The XDG specification says that a relative path in one of its variables is to be ignored. */
function xdg(value: string | undefined): string | undefined {
  return value && isAbsolute(value) ? value : undefined;
}
