import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** `parley serve` as a process of its own. */
export interface ServeProcess {
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<unknown>;
  /** What it has written to its error stream so far. */
  stderr(): string;
  signal(signal: NodeJS.Signals): void;
  /** Ends it without a word. */
  kill(): Promise<void>;
}

export interface ServeProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts Node with these words, which are `parley serve --json` in one way or another, and waits until clients can dial it. */
export async function startServeProcess(
  words: readonly string[],
  { cwd, env }: ServeProcessOptions,
): Promise<ServeProcess> {
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(process.execPath, words, {
    cwd,
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
    pid: child.pid ?? 0,
    exited,
    stderr: () => stderr,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
