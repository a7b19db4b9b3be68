import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export interface Answer {
  readonly result?: unknown;
  /** The code of the store's error. */
  readonly code?: string;
}

/** The program `take-commands` as a running process. */
export class StoreProcess implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;

  /** `command` is what starts Node, where that is not Node itself. */
  constructor(file: string, path: string, command: readonly string[] = []) {
    const [program = '', ...args] = [...command, process.execPath, file, path];
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout });
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('The process did not start.');
    return this.#child.pid;
  }

  async ask(command: string): Promise<Answer> {
    const answer = once(this.#lines, 'line');
    this.#child.stdin.write(`${command}\n`);
    const [line] = (await answer) as [string];
    return JSON.parse(line) as Answer;
  }

  /** Ends stdin and gives the exit code: the process must end by itself, although its store was never closed. */
  async end(): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode;
    const exit = once(this.#child, 'exit');
    this.#child.stdin.end();
    const [code] = (await exit) as [number | null];
    return code;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}
