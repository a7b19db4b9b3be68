import type { Writable } from 'node:stream';
import type { Message } from '@parley/jsonrpc';
import { encodeFrame } from '../framing/encode-frame.ts';
import type { WireFraming } from '../framing/framing.ts';

/** A batch is written at once when it is this long, and at the end of the tick in any case. */
export const MAX_BATCH_CHARACTERS: number = 64 * 1024;

/** With more than this still unsent, `send` asks its caller to wait. */
export const DEFAULT_HIGH_WATER_BYTES: number = 256 * 1024;

export interface MessageWriterOptions {
  readonly highWaterBytes?: number;
}

/** Writes messages to a stream: many messages in one write, and a promise to wait for when the reader is slow. */
export class MessageWriter {
  readonly #stream: Writable;
  readonly #highWaterBytes: number;
  /** Kept from the start, since others may replace `write` on `process.stdout`. */
  readonly #write: (text: string) => boolean;
  #batch = '';
  #drained: PromiseWithResolvers | undefined;

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
    if (this.#batch === '') process.nextTick(flushWriter, this);
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

  #waitForDrain(): Promise<void> | undefined {
    if (!this.#stream.writable) return undefined;
    this.#drained ??= createPromise();
    return this.#drained.promise;
  }

  #release(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }
}

function flushWriter(writer: MessageWriter): void {
  writer.flush();
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function createPromise(): PromiseWithResolvers {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
