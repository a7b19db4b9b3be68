import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/**
 * Writes to a file that a shell has opened for us. Node's own stream for it takes a part for the whole: on a disk that
 * fills up, the rest of what was written is lost without an error.
 */
export function createFileOutput(fd: number): Writable {
  const writeAll = (bytes: Uint8Array, done: (error?: Error | null) => void): void => {
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  // Only who writes to a file pays for loading it.
  const stream = process.getBuiltinModule('node:stream');
  return new stream.Writable({
    write: (chunk: Buffer, _encoding, done) => writeAll(chunk, done),
    writev: (chunks, done) => writeAll(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), done),
  });
}
