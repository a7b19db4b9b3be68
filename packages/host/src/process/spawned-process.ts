import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type KnownProcess, listDescendants } from './descendants.ts';
import { type ProcessExit, ProcessExitError } from './errors.ts';
import type { LaunchMark } from './launch/launch-id.ts';
import { stopLaunch } from './launch/stop-launch.ts';
import { TextTail } from './text-tail.ts';

export interface SpawnedProcessOptions {
  /** As it should appear in messages. */
  readonly command: string;
  readonly stderrTailCharacters: number;
  readonly onStderr?: ((text: string) => void) | undefined;
  readonly launch: LaunchMark;
  readonly eofGraceMs: number;
  readonly termGraceMs: number;
  /** Resolves when the process is recorded for `reapStrays`, or cannot be. */
  readonly recorded: Promise<void>;
  /** Called once, when no process of it is left. */
  readonly onGone: () => void | Promise<void>;
}

/** A child process with everything it has started: how it ends, its last words, and how to stop it. */
export class SpawnedProcess {
  readonly pid: number;
  readonly command: string;
  readonly exited: Promise<ProcessExit>;
  /** Resolves when the process is recorded for `reapStrays`, or cannot be. */
  readonly recorded: Promise<void>;
  readonly stdin: Writable;
  readonly stdout: Readable;

  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #options: SpawnedProcessOptions;
  readonly #stderr: TextTail;
  readonly #stderrEnded: Promise<void>;
  #stopping: Promise<void> | undefined;
  #family: Promise<readonly KnownProcess[]> | undefined;

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, pid: number, options: SpawnedProcessOptions) {
    this.pid = pid;
    this.command = options.command;
    this.recorded = options.recorded;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.#child = child;
    this.#options = options;
    this.#stderr = new TextTail(options.stderrTailCharacters);
    child.stderr.on('data', (chunk: Buffer) => {
      const text = this.#stderr.append(chunk);
      options.onStderr?.(text);
    });
    this.#stderrEnded = new Promise((resolve) => {
      child.stderr.once('close', resolve).on('error', () => resolve());
    });
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    void this.exited.then(() => this.stop());
  }

  /** The last of what the process wrote to stderr. */
  get stderrTail(): string {
    return this.#stderr.toString();
  }

  /** Ends its stdin, then asks the group to end, then makes it. Resolves when no process of it is left. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Learns who descends from the process, as long as that can be told: call it before ending anything. */
  lookAround(): Promise<readonly KnownProcess[]> {
    this.#family ??= listDescendants(this.pid, this.#options.launch.since);
    return this.#family;
  }

  /** How it ended, with its last words; waits a moment for either when its output has only just ended. */
  async explainExit(): Promise<ProcessExitError> {
    const exit = await Promise.race([this.exited, wait(EXIT_NEWS_MS, { code: null, signal: null })]);
    await Promise.race([this.#stderrEnded, wait(STDERR_LAG_MS, undefined)]);
    return new ProcessExitError(this.command, exit, this.stderrTail);
  }

  async #stop(): Promise<void> {
    const { launch, eofGraceMs, termGraceMs } = this.#options;
    this.#child.stdin.end();
    const family = await this.lookAround();
    await Promise.race([this.exited, wait(eofGraceMs, undefined)]);
    await stopLaunch({ groupId: this.pid, launch, termGraceMs, family });
    await this.#options.onGone();
  }
}

/** How long the news of an exit may lag behind the end of the output. */
const EXIT_NEWS_MS = 1000;

/** How long its last words may lag behind the news of its exit. */
const STDERR_LAG_MS = 200;

function wait<Value>(milliseconds: number, value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, value).unref());
}
