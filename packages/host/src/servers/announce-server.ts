import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../places/make-folder.ts';
import { runtimeHome, stateHome } from '../places/places.ts';
import { ownIdentity, stateOfProcess } from '../process/process-identity.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A server of this person on this machine, as tools find it. */
export interface AnnouncedServer {
  /** Where it is dialled: `http://127.0.0.1:7700/acp`. */
  readonly url: string;
  /** What it wants as a bearer token, if it wants one. */
  readonly token?: string;
  /** The agents that it hosts, each at a path of its own below `url`; undefined where there is only the one at `url`. */
  readonly agents?: readonly string[];
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** A server's file, for as long as the server is there. */
export interface ServerAnnouncement {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Writes a file that leads tools of the same person to a server: address and token, readable by nobody else. It is in
 * `$XDG_RUNTIME_DIR/parley/servers`, or in the state folder where a system has no such place; one file for each server.
 */
export async function announceServer(
  { url, token, agents }: Pick<AnnouncedServer, 'url' | 'token' | 'agents'>,
  env: Environment = process.env,
): Promise<ServerAnnouncement> {
  const folder = serversFolder(env);
  const { pid, place, startTicks } = ownIdentity();
  const content = {
    url,
    ...(token !== undefined && { token }),
    ...(agents !== undefined && { agents }),
    pid,
    startedAt: new Date().toISOString(),
    place,
    startTicks,
  };
  await makeFolder(folder);
  const path = join(folder, `${pid}-${randomUUID().slice(0, 8)}.json`);
  // Readers see all of it or nothing.
  const draft = `${path}.tmp`;
  await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
  return { path, remove: () => rm(path, { force: true }) };
}

/** The servers that run, the newest first. Files of those that are gone are removed; files that others could write do not count. */
export async function findServers(env: Environment = process.env): Promise<readonly AnnouncedServer[]> {
  const folder = serversFolder(env);
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  const found = await Promise.all(files.map((file) => readServer(file)));
  return found
    .filter((server) => server !== undefined)
    .sort((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt));
}

function serversFolder(env: Environment): string {
  return join(runtimeHome(env) ?? stateHome(env), 'parley', 'servers');
}

async function readServer(path: string): Promise<AnnouncedServer | undefined> {
  try {
    const facts = await lstat(path);
    if (!facts.isFile() || !isOurs(facts)) return undefined;
    const { url, token, agents, pid, startedAt, place, startTicks } = JSON.parse(await readFile(path, 'utf8'));
    if (typeof url !== 'string' || typeof pid !== 'number' || typeof startedAt !== 'string') return undefined;
    if (stateOfProcess({ pid, place: String(place ?? ''), startTicks: String(startTicks ?? '') }) === 'ended') {
      await rm(path, { force: true });
      return undefined;
    }
    return {
      url,
      ...(typeof token === 'string' && { token }),
      ...(Array.isArray(agents) && { agents: agents.map(String) }),
      pid,
      startedAt,
    };
  } catch {
    // It went away while we looked, or it is no such file.
    return undefined;
  }
}

/** Whoever else could write the file could have us send a token, and prompts, to a server of theirs. */
function isOurs({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}
