import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configHome, findHome, stateHome } from '@parley/host/places';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where everything is kept: settings, state, and what only lives while something runs. */
export interface Places {
  /** The person's settings file. */
  readonly config: string;
  /** Sessions, remembered permissions, traces. */
  readonly state: string;
}

/** The XDG places; `PARLEY_CONFIG` names another settings file. */
export function findPlaces(env: Environment): Places {
  const state = join(stateHome(env), 'parley');
  return {
    config: env.PARLEY_CONFIG || join(configHome(env), 'parley', 'config.json'),
    state,
  };
}

/** The name of a project's own settings file. */
export const PROJECT_FILE = '.parleyrc.json';

/** The name of the file in which a project names its MCP servers. */
export const MCP_FILE = '.mcp.json';

export function findProjectFile(cwd: string, env: Environment): string | undefined {
  return findUp(PROJECT_FILE, cwd, env);
}

/**
 * The nearest file of a name, from a folder up to the root of its repository; never above the person's home. What another
 * user has left in a shared folder above, such as /tmp, does not count.
 */
export function findUp(name: string, cwd: string, env: Environment): string | undefined {
  const home = findHome(env);
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (isOwn(path)) return path;
    if (existsSync(join(folder, '.git')) || folder === home || folder === dirname(folder)) return undefined;
  }
}

/** Whether a file is there and belongs to this person, or to the system. */
function isOwn(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (process.getuid === undefined || [0, process.getuid()].includes(found.uid));
}
