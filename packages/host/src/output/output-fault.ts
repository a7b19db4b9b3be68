import type { Writable } from 'node:stream';

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

/** A sentence about output that is lost. */
export function wordFault(fault: NodeJS.ErrnoException): string {
  return `The output could not be written and is not whole: ${WHY[fault.code ?? ''] ?? fault.message}.`;
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
