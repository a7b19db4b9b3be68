import { type IPty, spawn } from '@lydell/node-pty';
import { expect } from 'vitest';
import { Emulator } from './terminal-emulator.ts';

export interface PtyProgramOptions {
  /** The program and its arguments: `node parley.js`. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** A shell command to run in the same terminal after the program. */
  readonly afterwards?: string | undefined;
  /** Runs the program as a job of a shell with job control, started by another program, as `npm start` does. */
  readonly isJob?: boolean | undefined;
}

const WAIT_MS = 45_000;

/** A program in a real pseudo-terminal, with an emulator at the other end. */
export class PtyProgram {
  readonly emulator: Emulator;
  /** Everything the program has written. */
  output = '';
  readonly exited: Promise<number>;
  /** The number of the signal that has ended it; 0 when none did. */
  readonly signal: Promise<number>;
  readonly #pty: IPty;
  readonly #checks = new Set<() => void>();
  #reading: Promise<void> = Promise.resolve();
  #pending = '';
  /** The end of what the emulator has read. */
  #shown = '';
  #onResized: () => void = () => {};

  constructor(options: PtyProgramOptions) {
    const { columns = 80, rows = 24, cwd, env, command } = options;
    this.emulator = new Emulator(columns, rows);
    const run = options.isJob ? `sh -c '"$0" "$@"; true' "$0" "$@"` : '"$0" "$@"';
    const [file = '', ...args] =
      options.afterwards === undefined
        ? command
        : ['sh', options.isJob ? '-mc' : '-c', `${run}; ${options.afterwards}`, ...command];
    this.#pty = spawn(file, args, {
      cols: columns,
      rows,
      cwd,
      name: 'xterm-256color',
      env: { PATH: process.env.PATH ?? '', HOME: cwd, LANG: 'C.UTF-8', TERM: 'xterm-256color', ...env },
    });
    this.exited = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
    this.signal = new Promise((resolve) => this.#pty.onExit(({ signal = 0 }) => resolve(signal)));
    this.#pty.onData((data) => {
      this.output += data;
      this.#pending += data;
      this.#feed();
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Closes the terminal, as closing its window does. */
  close(): void {
    (this.#pty as IPty & { destroy(): void }).destroy();
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  /** Resolves when the screen and its scrollback show the text, or whatever else is awaited. */
  async see(awaited: string | ((lines: readonly string[]) => boolean)): Promise<void> {
    const isThere = (): boolean => {
      if (!this.#isWhole) return false;
      const { lines } = this.emulator;
      return typeof awaited === 'string' ? lines.some((line) => line.includes(awaited)) : awaited(lines);
    };
    // To see something is an assertion; a test without any fails.
    if (isThere()) return expect(awaited).toBeDefined();
    await new Promise<void>((resolve, reject) => {
      const check = (): void => {
        if (!isThere()) return;
        done();
        resolve(expect(awaited).toBeDefined());
      };
      const timer = setTimeout(() => {
        done();
        reject(new Error(`Never saw ${String(awaited)}. The screen:\n${this.emulator.lines.slice(-40).join('\n')}`));
      }, WAIT_MS);
      const done = (): void => {
        clearTimeout(timer);
        this.#checks.delete(check);
      };
      this.#checks.add(check);
    });
  }

  /**
   * Changes the window. The emulator follows at the very place in the output from where on the program draws for the new
   * window: what is on its way when a window changes was made for the old one, and no program could help that.
   */
  async resize(columns: number, rows: number): Promise<void> {
    const resized = new Promise<void>((resolve) => {
      this.#onResized = resolve;
    });
    this.#pty.resize(columns, rows);
    await resized;
  }

  /** Resolves when the program has ended and everything it wrote has been read. */
  async end(): Promise<number> {
    const exitCode = await this.exited;
    await this.#reading;
    return exitCode;
  }

  /** A terminal shows a synchronized update as a whole, and so does a test look at it. */
  get #isWhole(): boolean {
    return this.#shown.lastIndexOf('\u001b[?2026l') >= this.#shown.lastIndexOf('\u001b[?2026h');
  }

  /** Gives the output to the emulator, and the sizes in between. */
  #feed(): void {
    for (let mark = SIZE_MARK.exec(this.#pending); mark; mark = SIZE_MARK.exec(this.#pending)) {
      const [whole, columns, rows] = mark;
      this.#write(this.#pending.slice(0, mark.index));
      this.#pending = this.#pending.slice(mark.index + whole.length);
      this.#reading = this.#reading.then(() => {
        this.emulator.resize(Number(columns), Number(rows));
        this.#onResized();
      });
    }
    // A mark may come in two pieces.
    const cut = this.#pending.lastIndexOf(MARK_START);
    const end = cut >= 0 ? cut : this.#pending.endsWith('\u001b') ? this.#pending.length - 1 : this.#pending.length;
    this.#write(this.#pending.slice(0, end));
    this.#pending = this.#pending.slice(end);
  }

  #write(bytes: string): void {
    if (bytes === '') return;
    this.#reading = this.#reading
      .then(() => this.emulator.write(bytes))
      .then(() => {
        this.#shown = (this.#shown + bytes).slice(-MAX_SHOWN);
        for (const check of this.#checks) check();
      });
  }

  dispose(): void {
    try {
      this.#pty.kill('SIGKILL');
    } catch {
      // It has ended by itself.
    }
    this.emulator.dispose();
  }
}

/** Longer than any frame. */
const MAX_SHOWN = 200_000;
const MARK_START = '\u001b]7';
const SIZE_MARK = new RegExp(`${MARK_START}77;size;(\\d+);(\\d+)\\u0007`);
