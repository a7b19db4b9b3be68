import type { Writable } from 'node:stream';
import { CliError } from '../errors.ts';

/** Remembers what went wrong with a stream first. Node's own stdout forgets, and a later write seems to go well. */
export function watchOutput(stream: Writable): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!faults.has(stream)) faults.set(stream, error);
  });
}

/** Why nothing more can be written to a stream; undefined as long as it works. */
export function faultOf(stream: Writable): NodeJS.ErrnoException | undefined {
  return faults.get(stream);
}

/** Whether the reader has left, as in `parley sessions list | head -1`: the person's wish, and no fault of the output. */
export function isReaderGone(fault: NodeJS.ErrnoException | undefined): boolean {
  return fault?.code === 'EPIPE' || fault?.code === 'ECONNRESET';
}

/** The error for output that is lost. */
export function outputError(fault: NodeJS.ErrnoException): CliError {
  const why = WHY[fault.code ?? ''] ?? fault.message;
  return new CliError('output_failed', `The output could not be written and is not whole: ${why}.`, { cause: fault });
}

const WHY: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than is allowed',
  EIO: 'the device failed',
  EPIPE: 'its reader has gone',
  ECONNRESET: 'its reader has gone',
  EBADF: 'it is closed',
};

const faults = new WeakMap<Writable, NodeJS.ErrnoException>();
