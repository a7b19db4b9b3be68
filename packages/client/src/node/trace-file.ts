import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { formatEntry, type RedactOptions, type TraceEntry } from '@parley/session/traces';
import type { TraceOptions } from '../trace/trace.ts';

export interface TraceFile extends TraceOptions, AsyncDisposable {
  readonly path: string;
  /** Takes an entry of any kind, as it is. */
  readonly write: (entry: TraceEntry) => void;
  readonly writeAside: (entry: TraceEntry) => void;
  /** Entries that were left out because the disk was too slow, or failed. */
  readonly dropped: number;
  /** Writes what is left and closes the file. */
  close(): Promise<void>;
}

/** How much may wait for a slow disk. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Writes a trace to a file, one message a line, for `connect({ trace })`. Only the owner may read it. A disk that fails
 * or is too slow costs entries, never the connection.
 */
export function traceToFile(path: string, options: RedactOptions = {}): TraceFile {
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  let dropped = 0;
  let isBroken = false;
  stream.on('error', () => {
    isBroken = true;
  });
  const write = (entry: TraceEntry): void => {
    if (isBroken || stream.writableEnded || stream.writableLength > MAX_WAITING_BYTES) dropped += 1;
    else stream.write(formatEntry(entry));
  };
  async function close(): Promise<void> {
    stream.end();
    await finished(stream).catch(() => {});
  }
  return {
    ...options,
    path,
    get dropped() {
      return dropped;
    },
    write,
    writeAside: write,
    close,
    [Symbol.asyncDispose]: close,
  };
}
