import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServeProcess, type ServeProcessOptions, startServeProcess } from '@parley/testing/processes';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** `parley serve` as a process of its own, from source, with the coding agent on its offline model. */
export interface ServedPage extends AsyncDisposable {
  /** `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly token: string;
  /** What a person opens: the page, with the token behind the `#`. */
  readonly link: string;
  /** The folder in which sessions work unless another is chosen. */
  readonly cwd: string;
  /** What it has written to its error stream so far. */
  stderr(): string;
  /** Ends it without a word. */
  kill(): Promise<void>;
  /** Starts it again where it was, on the same port and with the same sessions. */
  restart(): Promise<void>;
}

export interface ServerOptions {
  /** Further words for `parley serve`: flags, and agents like `name=command`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const TOKEN = 'token-of-the-page-tests';

export async function openServer({ args = [], env = {} }: ServerOptions = {}): Promise<ServedPage> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-web-'));
  const home = join(folder, 'home');
  const cwd = join(folder, 'work');
  mkdirSync(home);
  mkdirSync(cwd);
  const start = (port: number): Promise<ServeProcess> =>
    startServe(['--port', String(port), ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: home, PARLEY_TOKEN: TOKEN, PARLEY_MODEL: 'offline', ...env },
    });
  let server = await start(0);
  const { port } = server;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    token: TOKEN,
    link: `${origin}/#token=${TOKEN}`,
    cwd,
    stderr: () => server.stderr(),
    kill: () => server.kill(),
    async restart() {
      server = await start(port);
    },
    async [Symbol.asyncDispose]() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function startServe(args: readonly string[], options: ServeProcessOptions): Promise<ServeProcess> {
  const program = join(root, 'packages', 'cli', 'src', 'parley.program.ts');
  const tsx = join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs');
  return startServeProcess(['--conditions=source', '--import', tsx, program, 'serve', '--json', ...args], options);
}
