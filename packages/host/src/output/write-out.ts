import type { Writable } from 'node:stream';
import { faultOf } from './output-fault.ts';

/** Waits until a slow reader has made room, the stream has failed, or the signal aborts. */
export function untilRoom(stream: Writable, signal?: AbortSignal): Promise<void> {
  if (!needsRoom(stream) || signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    // A timer keeps the process there: a pipe that nobody reads does not.
    const stay = setInterval(() => {}, 2 ** 30);
    const settle = (): void => {
      clearInterval(stay);
      for (const name of ENDS) stream.off(name, settle);
      signal?.removeEventListener('abort', settle);
      resolve();
    };
    for (const name of ENDS) stream.on(name, settle);
    signal?.addEventListener('abort', settle);
  });
}

const ENDS = ['drain', 'error', 'close'] as const;

/** Whether more is written than was read so far. */
export function needsRoom(stream: Writable): boolean {
  return stream.writableNeedDrain && !faultOf(stream);
}

/** Writes pieces one by one, at the pace of the reader until the signal aborts. Stops when the reader has gone: false. */
export async function writePieces(
  stream: Writable,
  pieces: AsyncIterable<string> | Iterable<string>,
  signal?: AbortSignal,
): Promise<boolean> {
  for await (const piece of pieces) if (!(await writePiece(stream, piece, signal))) return false;
  return true;
}

export async function writePiece(stream: Writable, piece: string, signal?: AbortSignal): Promise<boolean> {
  stream.write(piece);
  if (needsRoom(stream)) await untilRoom(stream, signal);
  return !faultOf(stream);
}

/** Resolves when everything that was written has left this process, or never will; what went wrong is known by then. */
export function untilWritten(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    // An error is told a moment after the write that it belongs to.
    const settle = (): void => void setImmediate(resolve);
    if (stream.destroyed || faultOf(stream) || stream.writableLength === 0) return settle();
    stream.once('close', settle);
    stream.write('', settle);
  });
}
