import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServeProcess as StartedServe, startServeProcess } from '@parley/testing/processes';
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

/** `parley serve` with the numbering agent behind it. */
export interface ServeProcess extends StartedServe {
  readonly storePath: string;
  /** How long it took until clients could dial it. */
  readonly readyMs: number;
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
  const running = await startServeProcess(args, { cwd: home, env });
  return { ...running, storePath, readyMs: performance.now() - startedAt };
}
