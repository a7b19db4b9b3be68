import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../../src/config/config.ts';
import type { ParleyTests, Running, RunOptions } from '../support/parley.ts';

/** What `parley serve --json` says. */
export interface ServerFacts {
  readonly schema: number;
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly port: number;
  readonly defaultAgent: string;
  readonly agents: Readonly<Record<string, string>>;
  readonly tokenFile: string;
  readonly portFile: string;
  readonly store?: string;
}

export interface Server extends Running, AsyncDisposable {
  readonly facts: ServerFacts;
}

/** Starts the real server on a free port, and waits until it listens. */
export async function startServer(
  parley: ParleyTests,
  words: readonly string[] = [],
  options: RunOptions = {},
): Promise<Server> {
  const running = parley.start(['serve', '--port', '0', '--json', ...words], { input: undefined, ...options });
  const lines = createInterface({ input: running.process.stdout });
  const [line] = await Promise.race([
    once(lines, 'line'),
    running.finished.then(({ stderr }) => Promise.reject(new Error(`The server ended: ${stderr}`))),
  ]);
  return {
    ...running,
    facts: JSON.parse(String(line)) as ServerFacts,
    async [Symbol.asyncDispose]() {
      running.process.kill('SIGKILL');
      await running.finished;
    },
  };
}

/** Writes the person's settings file. */
export function writeSettings(parley: ParleyTests, config: Config): string {
  const path = join(parley.home, 'config', 'parley', 'config.json');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(config));
  return path;
}
