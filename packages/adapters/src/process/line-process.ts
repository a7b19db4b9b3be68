import { type ProcessExit, type SpawnedProcess, spawnChild } from '@parley/host/process';
import { LineSplitter } from './line-splitter.ts';

export interface LineProcessOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its output is text, to be taken as it comes. */
  readonly isText: boolean;
  readonly onStderr?: (text: string) => void;
}

/** Takes what a process writes. */
export interface OutputListener {
  onLine(line: string): void;
  onText(text: string): void;
  onLongLine(characters: number): void;
  /** All that came at once has been taken. A promise holds up the process until it is resolved. */
  onPause(): void | Promise<void>;
}

/** A command line at work: what it writes is read to the end, whoever listens at the time, and its group ends with it. */
export class LineProcess {
  /** Resolves when it has ended and everything that it wrote has been read. */
  readonly ended: Promise<ProcessExit>;
  readonly #child: SpawnedProcess;
  #listener: OutputListener | undefined;
  #isEnded = false;

  private constructor(child: SpawnedProcess, isText: boolean) {
    this.#child = child;
    const read = this.#readOutput(isText);
    this.ended = Promise.all([child.exited, read]).then(([exit]) => {
      this.#isEnded = true;
      return exit;
    });
    // A process that ends early closes its stdin; what happens then is told by its exit.
    child.stdin.on('error', () => {});
  }

  static async start({ argv, cwd, env, isText, onStderr }: LineProcessOptions): Promise<LineProcess> {
    const [command = '', ...args] = argv;
    const child = await spawnChild({
      command,
      args,
      cwd,
      env,
      eofGraceMs: EOF_GRACE_MS,
      termGraceMs: TERM_GRACE_MS,
      ...(onStderr && { onStderr }),
    });
    return new LineProcess(child, isText);
  }

  get hasEnded(): boolean {
    return this.#isEnded;
  }

  get stderrTail(): string {
    return this.#child.stderrTail;
  }

  /** Who takes the output from now on; without anybody it is dropped. */
  listen(listener: OutputListener | undefined): void {
    this.#listener = listener;
  }

  write(text: string): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(text);
  }

  /** Nothing more will be written to it. */
  endInput(): void {
    if (this.#child.stdin.writable) this.#child.stdin.end();
  }

  /** Ends it with all that it has started; resolves when nothing of it is left. */
  stop(): Promise<void> {
    return this.#child.stop();
  }

  #readOutput(isText: boolean): Promise<void> {
    const { stdout } = this.#child;
    const splitter = new LineSplitter({
      onLine: (line) => this.#listener?.onLine(line),
      onLongLine: (characters) => this.#listener?.onLongLine(characters),
    });
    stdout.setEncoding('utf8');
    return new Promise((resolve) => {
      stdout.on('data', (text: string) => {
        if (isText) this.#listener?.onText(text);
        else splitter.write(text);
        const slow = this.#listener?.onPause();
        if (!slow) return;
        stdout.pause();
        void slow.then(
          () => stdout.resume(),
          () => stdout.resume(),
        );
      });
      stdout.once('close', () => {
        if (!isText) splitter.end();
        void this.#listener?.onPause();
        resolve();
      });
      stdout.on('error', () => {});
    });
  }
}

/** Command lines seldom end because their stdin does, so they are soon told to. */
const EOF_GRACE_MS = 200;
const TERM_GRACE_MS = 2000;
