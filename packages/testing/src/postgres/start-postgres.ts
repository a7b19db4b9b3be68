import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres } from './find-postgres.ts';

const run = promisify(execFile);

export interface PostgresOptions {
  /** Whether commits reach the disk. Default: false, for tests that only end processes. */
  readonly isDurable?: boolean;
  /** Further settings of the server. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** A PostgreSQL server of a test's own, in a temporary folder, on a free port of this machine. */
export interface PostgresServer extends AsyncDisposable {
  /** The database that every server has. */
  readonly url: string;
  readonly folder: string;
  /** Makes an empty database, and says where it is. */
  newDatabase(): Promise<string>;
  /** SQL as the administrator; what it prints, without headers. */
  sql(statement: string, database?: string): Promise<string>;
  /** Ends every process of the server at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a server, or says that there is none on this machine by giving undefined. It refuses to run as root, so it runs as
 * `postgres`, else as `nobody`, where the tests do.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer | undefined> {
  const programs = findPostgres();
  if (programs === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'));
  const user = process.getuid?.() === 0 ? findUser() : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const data = join(folder, 'data');
  const spawning = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' }, ...user };
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'parley', '-A', 'trust', '-E', 'UTF8', '--no-sync'], spawning);
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: 60,
    shared_buffers: '32MB',
    log_min_messages: 'fatal',
    ...(options.isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...options.settings,
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let child: ChildProcess | undefined;
  let databases = 0;

  const start = async (): Promise<void> => {
    child = spawn(join(programs, 'postgres'), ['-D', data, ...words], {
      ...spawning,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-4000);
    });
    await untilReady(
      port,
      () => (child?.exitCode === null ? undefined : `PostgreSQL ended at its start: ${said}`),
      sql,
    );
  };
  const sql: PostgresServer['sql'] = async (statement, database = 'postgres') => {
    const words = [
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-U',
      'parley',
      '-d',
      database,
      '-XAtq',
      '-v',
      'ON_ERROR_STOP=1',
    ];
    const { stdout } = await run('psql', [...words, '-c', statement], { maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const exit = once(ending, 'exit');
    if (signal === 'SIGKILL') {
      // One that is stopped begins no further processes.
      ending.kill('SIGSTOP');
      for (const pid of listIn(data)) tryKill(pid);
    }
    ending.kill(signal);
    await exit;
    // A process that is left keeps the next server from its memory, and one that was killed takes a moment to end.
    for (let left = listIn(data); signal === 'SIGKILL' && left.length > 0; left = listIn(data)) {
      for (const pid of left) tryKill(pid);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await start();
  return {
    url: `postgres://parley@127.0.0.1:${port}/postgres`,
    folder,
    sql,
    start,
    newDatabase: async () => {
      const name = `test_${++databases}`;
      await sql(`CREATE DATABASE ${name}`);
      return `postgres://parley@127.0.0.1:${port}/${name}`;
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    [Symbol.asyncDispose]: async () => {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findUser(): { readonly uid?: number; readonly gid?: number } {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return {};
}

/** The processes of a server, which all work in its folder: those that serve connections outlive the first one. */
function listIn(folder: string): readonly number[] {
  const path = realpathSync(folder);
  const ids = existsSync('/proc/self') ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
  return ids.filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === path;
    } catch {
      return false;
    }
  });
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function untilReady(port: number, failure: () => string | undefined, sql: PostgresServer['sql']): Promise<void> {
  for (;;) {
    const why = failure();
    if (why !== undefined) throw new Error(why);
    if ((await isListening(port)) && (await sql('SELECT 1').catch(() => ''))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return address.port;
}
