import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { listDescendants } from '../process/descendants.ts';
import type { LaunchMark } from '../process/launch/launch-id.ts';
import { stopLaunch } from '../process/launch/stop-launch.ts';
import { OutputTail } from './output-tail.ts';

export interface CommandExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface RunningCommandOptions {
  readonly maxOutputBytes: number;
  readonly killGraceMs: number;
  readonly launch: LaunchMark;
  /** Ends the watch over the command. */
  readonly unwatch: () => void;
  readonly onOutput: (text: string) => void;
}

/** One running command with everything it has started. */
export class RunningCommand {
  /** Resolves, never rejects, when it has ended. */
  readonly exited: Promise<CommandExit>;
  /** Undefined while it runs. */
  exit: CommandExit | undefined;
  readonly #child: ChildProcessByStdio<Writable | null, Readable, Readable>;
  readonly #options: RunningCommandOptions;
  readonly #tail: OutputTail;
  #ending: Promise<void> | undefined;

  constructor(child: ChildProcessByStdio<Writable | null, Readable, Readable>, options: RunningCommandOptions) {
    this.#child = child;
    this.#options = options;
    this.#tail = new OutputTail(options.maxOutputBytes);
    for (const stream of [child.stdout, child.stderr]) this.#follow(stream);
    this.exited = new Promise((resolve) => {
      const finish = (exitCode: number | null, signal: string | null): void => {
        this.exit ??= { exitCode, signal };
        resolve(this.exit);
      };
      // `close` comes after the last output, but never when a grandchild keeps the pipe open.
      child.once('close', finish);
      child.once('exit', (code, signal) => setTimeout(finish, OUTPUT_GRACE_MS, code, signal).unref());
    });
  }

  /** What it has written so far, without waiting. */
  readOutput(): { readonly output: string; readonly isTruncated: boolean } {
    return this.#tail.read();
  }

  /** Ends it with everything it has started. The output stays readable. */
  async kill(): Promise<void> {
    this.#ending ??= this.#endAll();
    await this.#ending;
  }

  /** Ends it if it still runs, and frees what it holds. */
  async release(): Promise<void> {
    await this.kill();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #follow(stream: Readable): void {
    const decoder = new StringDecoder('utf8');
    stream.on('data', (chunk: Buffer) => {
      this.#tail.append(chunk);
      const text = decoder.write(chunk);
      if (text !== '') this.#options.onOutput(text);
    });
    stream.on('error', () => {});
  }

  /** The command may have ended and left others behind, so they are looked for in any case. */
  async #endAll(): Promise<void> {
    const { pid } = this.#child;
    const { launch, killGraceMs: termGraceMs, unwatch } = this.#options;
    if (pid !== undefined) {
      const family = this.exit ? [] : await listDescendants(pid, launch.since);
      await stopLaunch({ groupId: pid, launch, termGraceMs, family });
    }
    unwatch();
    await this.exited;
  }
}

/** How long the last output may lag behind the exit when somebody else holds the pipe. */
const OUTPUT_GRACE_MS = 250;
