import { readdir, readFile, readlink } from 'node:fs/promises';
import { CliError, type CommandContext } from '@parley/host/command-line';
import { findServers } from '@parley/host/servers';

/** Who listens on a port of this machine. */
export interface PortOwner {
  readonly pid: number;
  /** Its command line, or what it says it is. */
  readonly what: string;
  /** Whether it is a server of ours, which may be used as it is. */
  readonly isServer: boolean;
}

/** The error for a port that somebody has: who it is, and what to do. */
export async function portTaken(
  where: string,
  port: number,
  cause: unknown,
  context: CommandContext,
): Promise<CliError> {
  const owner = await findPortOwner(port, context.env);
  const who = owner ? `${owner.what} (pid ${owner.pid}) has it` : 'another program has it';
  return new CliError('not_available', `Cannot listen on ${where}: ${who}.`, {
    cause,
    next: [
      ...(owner?.isServer ? ['parley --agent local   (use the one that runs)'] : []),
      'parley serve --port 0   (takes a free one)',
      ...(owner ? [`kill ${owner.pid}   (ends the other)`] : []),
    ],
  });
}

/** Finds who listens on a port: a server that has announced itself, or, on Linux, any process of this user. */
export async function findPortOwner(port: number, env: CommandContext['env']): Promise<PortOwner | undefined> {
  const server = (await findServers(env)).find(({ url }) => URL.canParse(url) && new URL(url).port === String(port));
  if (server) return { pid: server.pid, what: 'a Parley server', isServer: true };
  const inodes = new Set([...(await listening('/proc/net/tcp', port)), ...(await listening('/proc/net/tcp6', port))]);
  if (inodes.size === 0) return undefined;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (await hasSocket(pid, inodes)) return { pid: Number(pid), what: await commandOf(pid), isServer: false };
  }
  return undefined;
}

/** State 0A of the kernel's table is a socket that listens. */
const LISTENING = '0A';

async function listening(table: string, port: number): Promise<readonly string[]> {
  const text = await readFile(table, 'utf8').catch(() => '');
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => state === LISTENING && local.endsWith(`:${wanted}`))
    .flatMap((fields) => fields[9] ?? []);
}

async function hasSocket(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  // Processes of others do not show what they have open.
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return links.some((link) => inodes.has(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? ''));
}

const MAX_COMMAND_CHARACTERS = 60;

async function commandOf(pid: string): Promise<string> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const line = words.replaceAll('\0', ' ').trim();
  return line.length > MAX_COMMAND_CHARACTERS ? `${line.slice(0, MAX_COMMAND_CHARACTERS)}...` : line || 'a process';
}
