import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { NUMBERING_AGENT, type Records } from './hosted-gateway.ts';
import { TOKEN } from './wires.ts';

export interface ServeOptions {
  /** The built command. */
  readonly program: string;
  /** Where its home, its log of sessions and the records of its agent are. */
  readonly records: Records;
  /** Default: any that is free. */
  readonly port?: number;
  /** Default: a file beside the records. */
  readonly store?: string;
  /** A machine of its own, as far as its home goes. */
  readonly machine?: string;
  readonly leaseSeconds?: number;
}

/** `parley serve` as a process of its own, with the numbering agent behind it. */
export interface ServeProcess {
  readonly port: number;
  readonly storePath: string;
  /** How long it took until clients could dial it. */
  readonly readyMs: number;
  readonly pid: number;
  /** Ends it without a word. */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  readonly exited: Promise<unknown>;
  /** What it has written to its error stream. */
  readonly stderr: () => string;
}

export async function startServe({
  program,
  records: { folder, path },
  port = 0,
  store,
  machine = 'home',
  leaseSeconds,
}: ServeOptions): Promise<ServeProcess> {
  const startedAt = performance.now();
  const storePath = store ?? join(folder, 'sessions.db');
  const agent = `numbering=${[process.execPath, NUMBERING_AGENT, path, '--loads'].join(' ')}`;
  const args = [program, 'serve', '--json', '--port', String(port), '--store', storePath, agent];
  const home = join(folder, machine);
  mkdirSync(join(home, 'config'), { recursive: true });
  const settings = { serve: { web: false, ...(leaseSeconds !== undefined && { leaseSeconds }) } };
  writeFileSync(join(home, 'config', 'config.json'), JSON.stringify(settings));
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    HOME: home,
    PARLEY_TOKEN: TOKEN,
    XDG_STATE_HOME: join(home, 'state'),
    PARLEY_CONFIG: join(home, 'config', 'config.json'),
  };
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(process.execPath, args, {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit');
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error(`parley serve has ended: ${stderr}`))),
  ])) as [string];
  return {
    port: (JSON.parse(line) as { readonly port: number }).port,
    storePath,
    readyMs: performance.now() - startedAt,
    pid: child.pid ?? 0,
    exited,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    stderr: () => stderr,
  };
}
