import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where everything is kept: settings, state, and what only lives while something runs. */
export interface Places {
  /** The person's settings file. */
  readonly config: string;
  /** Sessions, remembered permissions, traces. */
  readonly state: string;
  /** Records of what runs now. */
  readonly runtime: string;
}

/** The XDG places; `PARLEY_CONFIG` names another settings file. */
export function findPlaces(env: Environment): Places {
  const home = env.HOME || homedir();
  const state = join(xdg(env.XDG_STATE_HOME) ?? join(home, '.local', 'state'), 'parley');
  const runtime = xdg(env.XDG_RUNTIME_DIR);
  return {
    config: env.PARLEY_CONFIG || join(xdg(env.XDG_CONFIG_HOME) ?? join(home, '.config'), 'parley', 'config.json'),
    state,
    runtime: runtime === undefined ? join(state, 'run') : join(runtime, 'parley'),
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
  const home = env.HOME || homedir();
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

/** The XDG specification says that a relative path in one of its variables is to be ignored. */
function xdg(value: string | undefined): string | undefined {
  return value && isAbsolute(value) ? value : undefined;
}
