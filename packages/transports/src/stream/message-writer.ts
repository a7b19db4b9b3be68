import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { Message } from '@parley/jsonrpc';
import { encodeFrame } from '../framing/encode-frame.ts';
import type { WireFraming } from '../framing/framing.ts';

/**
 * A batch is written at once when it is this long, and at the end of the tick in any case. Node reserves three bytes for
 * each character that it writes; above 128 KiB the system would have to find that memory anew each time.
 */
const MAX_BATCH_CHARACTERS = 32 * 1024;

/** With more than this still unsent, `send` asks its caller to wait. */
const DEFAULT_HIGH_WATER_BYTES = 256 * 1024;

export interface MessageWriterOptions {
  /** With more than this unsent, `send` returns a promise. Default: 256 KiB. */
  readonly highWaterBytes?: number;
}

/** Writes messages to a stream: many messages in one write, and a promise to wait for when the reader is slow. */
export class MessageWriter {
  readonly #stream: Writable;
  readonly #highWaterBytes: number;
  /** Kept from the start: `guardStdout` puts another function in its place. */
  readonly #write: (text: string, callback?: () => void) => boolean;
  #batch = '';
  #waiting: { readonly promise: Promise<void>; readonly release: () => void } | undefined;

  constructor(stream: Writable, options: MessageWriterOptions = {}) {
    const { highWaterBytes = DEFAULT_HIGH_WATER_BYTES } = options;
    this.#stream = stream;
    this.#highWaterBytes = highWaterBytes;
    this.#write = stream.write.bind(stream);
    stream.on('drain', () => this.#release());
    stream.on('close', () => this.#release());
  }

  send(message: Message, framing: WireFraming): void | Promise<void> {
    const frame = encodeFrame(message, framing);
    // Runs once the code that is sending now, with all its promises, has nothing left to do.
    if (this.#batch === '') process.nextTick(flush, this);
    this.#batch += frame;
    if (this.#batch.length >= MAX_BATCH_CHARACTERS) this.flush();
    if (this.#stream.writableLength > this.#highWaterBytes) return this.#waitForDrain();
  }

  flush(): void {
    const batch = this.#batch;
    if (batch === '') return;
    this.#batch = '';
    if (this.#stream.writable) this.#write(batch);
  }

  /** Resolves when what was sent so far has left this process, or cannot any more. */
  whenSent(): Promise<void> {
    this.flush();
    if (!this.#stream.writable) return Promise.resolve();
    return new Promise((resolve) => void this.#write('', () => resolve()));
  }

  /**
   * Resolves when everything is written and, unless it is kept open, the stream is ended; or when the reader took nothing for
   * `timeoutMs`, or was too slow altogether.
   */
  finish({ keepsOpen, timeoutMs }: { keepsOpen: boolean; timeoutMs: number }): Promise<void> {
    const stream = this.#stream;
    this.flush();
    if (stream.destroyed || stream.writableFinished) return Promise.resolve();
    return new Promise((resolve) => {
      const settle = () => {
        stopWatching();
        resolve();
      };
      const stopWatching = onStall(stream, timeoutMs, () => {
        if (!keepsOpen) stream.destroy();
        settle();
      });
      stream.once('close', settle);
      stream.once('error', settle);
      if (keepsOpen) this.#write('', settle);
      else stream.end(settle);
    });
  }

  #waitForDrain(): Promise<void> | undefined {
    if (!this.#stream.writable) return undefined;
    this.#waiting ??= createWait();
    return this.#waiting.promise;
  }

  #release(): void {
    this.#waiting?.release();
    this.#waiting = undefined;
  }
}

function flush(writer: MessageWriter): void {
  writer.flush();
}

/** A slow reader gets this many times the time of one that takes nothing. */
const MAX_SLOWNESS = 10;

/** Calls back once when the reader took nothing for `timeoutMs`. Streams other than sockets and pipes do not show progress; they get that time in all. */
function onStall(stream: Writable, timeoutMs: number, callback: () => void): () => void {
  const socket = stream as Partial<Pick<Socket, 'setTimeout'>> & Writable;
  const isSocket = typeof socket.setTimeout === 'function';
  const timer = setTimeout(callback, isSocket ? timeoutMs * MAX_SLOWNESS : timeoutMs);
  socket.setTimeout?.(timeoutMs, callback);
  return () => {
    clearTimeout(timer);
    socket.setTimeout?.(0);
    socket.off('timeout', callback);
  };
}

function createWait(): { readonly promise: Promise<void>; readonly release: () => void } {
  let release = () => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}
