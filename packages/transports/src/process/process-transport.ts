import type { Readable, Writable } from 'node:stream';
import { type StreamOptions, StreamTransport } from '../stdio/stream-transport.ts';
import type { SpawnedProcess } from './spawned-process.ts';

/** The wire to a spawned process. Closing it stops the process and everything it has started. */
export class ProcessTransport extends StreamTransport {
  readonly process: SpawnedProcess;

  constructor(spawned: SpawnedProcess, streams: { readable: Readable; writable: Writable }, options: StreamOptions) {
    super(
      {
        ...streams,
        release: () => spawned.stop(),
        explain: (reason) => spawned.explain(reason),
        onNoise: (line) => spawned.addNoise(line),
      },
      options,
    );
    this.process = spawned;
    // A child that left the group may hold the output open for ever.
    void spawned.exited.then(() => spawned.stop()).then(() => this.endWhenQuiet({ kind: 'ended' }));
  }

  override close(): Promise<void> {
    void this.process.lookAround();
    return super.close();
  }
}
