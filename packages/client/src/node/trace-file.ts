import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { RedactOptions } from '../trace/redact.ts';
import { formatTraceRecord, type TraceOptions } from '../trace/trace.ts';

export interface TraceFile extends TraceOptions, AsyncDisposable {
  readonly path: string;
  /** Records that were left out because the disk was too slow, or failed. */
  readonly dropped: number;
  /** Writes what is left and closes the file. */
  close(): Promise<void>;
}

/** How much may wait for a slow disk. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Writes a trace to a file, one message a line, for `connect({ trace })`. Only the owner may read it. A disk that fails
 * or is too slow costs records, never the connection.
 */
export function traceToFile(path: string, options: RedactOptions = {}): TraceFile {
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  let dropped = 0;
  let isBroken = false;
  stream.on('error', () => {
    isBroken = true;
  });
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
    write(record) {
      if (isBroken || stream.writableEnded || stream.writableLength > MAX_WAITING_BYTES) dropped += 1;
      else stream.write(formatTraceRecord(record));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
