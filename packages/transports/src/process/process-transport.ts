import type { SpawnedProcess } from '@parley/host/process';
import { type SpawnChildOptions, spawnChild } from '@parley/host/process';
import type { CloseReason } from '@parley/jsonrpc';
import { type StreamOptions, StreamTransport } from '../stream/stream-transport.ts';

/** Lines of stdout that were not messages. */
export interface Noise {
  readonly lines: number;
  /** The first few of them, cut to a readable length. */
  readonly first: readonly string[];
}

export interface ProcessTransportOptions extends StreamOptions {
  /** Receives each line of stdout that is no message. */
  readonly onNoise?: (line: string) => void;
}

/** The wire to a spawned process. Closing it stops the process and everything it has started. */
export class ProcessTransport extends StreamTransport {
  readonly process: SpawnedProcess;
  #noiseLines = 0;
  readonly #firstNoise: string[] = [];

  readonly #onNoise: ((line: string) => void) | undefined;

  constructor(spawned: SpawnedProcess, options: ProcessTransportOptions) {
    super(
      {
        readable: spawned.stdout,
        writable: spawned.stdin,
        release: () => spawned.stop(),
        explain: (reason) => explain(spawned, reason),
        onNoise: (line) => this.#addNoise(line),
      },
      options,
    );
    this.process = spawned;
    this.#onNoise = options.onNoise;
    // A child that left the group may hold the output open for ever.
    void spawned.exited.then(() => spawned.stop()).then(() => this.endWhenQuiet({ kind: 'ended' }));
  }

  get noise(): Noise {
    return { lines: this.#noiseLines, first: this.#firstNoise };
  }

  override close(): Promise<void> {
    void this.process.lookAround();
    return super.close();
  }

  #addNoise(line: string): void {
    this.#noiseLines += 1;
    if (this.#firstNoise.length < MAX_NOISE_LINES) this.#firstNoise.push(line.trimEnd().slice(0, MAX_NOISE_CHARACTERS));
    this.#onNoise?.(line);
  }
}

const MAX_NOISE_LINES = 5;
const MAX_NOISE_CHARACTERS = 200;

/** Says why the wire to a process ended. A process without a wire is of no use to anybody, so it is stopped. */
async function explain(spawned: SpawnedProcess, reason: CloseReason): Promise<CloseReason> {
  if (reason.kind === 'closed') return reason;
  void spawned.stop();
  const error = await spawned.explainExit();
  return { kind: reason.kind === 'ended' && error.exitCode === 0 ? 'ended' : 'failed', error };
}

export interface SpawnProcessOptions extends SpawnChildOptions, ProcessTransportOptions {}

/**
 * Starts a command in a process group of its own and gives the wire to it. Throws `SpawnError` if it cannot be started.
 * Neither closing the wire, nor a crash on either side, nor `kill -9` of this process leaves a process behind, unless it
 * has left its group and has an environment of its own making.
 */
export async function spawnProcess(options: SpawnProcessOptions): Promise<ProcessTransport> {
  const spawned = await spawnChild(options);
  const transport = new ProcessTransport(spawned, { closeTimeoutMs: 1000, ...options });
  await spawned.recorded;
  return transport;
}
