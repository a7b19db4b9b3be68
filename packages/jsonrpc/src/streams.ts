import { TransportClosedError } from './errors.ts';
import type { Message } from './message.ts';
import type { CloseReason, Transport, TransportFault } from './transport.ts';

/** A wire as a pair of Web Streams of messages, as the official ACP SDK has it. */
export interface MessageStream {
  readonly readable: ReadableStream<Message>;
  readonly writable: WritableStream<Message>;
}

/** Shows a transport as a pair of Web Streams, for code written against them. Input that is not JSON is left out. */
export function toStream(transport: Transport): MessageStream {
  let isOpen = true;
  const readable = new ReadableStream<Message>({
    start(controller) {
      transport.onFault(() => {});
      transport.onClose(({ kind, error }) => {
        if (!isOpen) return;
        isOpen = false;
        if (kind === 'failed') controller.error(error ?? new Error('The transport failed.'));
        else controller.close();
      });
      transport.onMessage((value) => {
        if (!isOpen) return;
        controller.enqueue(value as Message);
        if ((controller.desiredSize ?? 0) <= 0) transport.pause();
      });
    },
    pull() {
      transport.resume();
    },
    async cancel() {
      isOpen = false;
      await transport.close();
    },
  });
  const writable = new WritableStream<Message>({
    write: (message) => transport.send(message),
    close: () => transport.close(),
    abort: () => transport.close(),
  });
  return { readable, writable };
}

/** Makes a transport of a pair of Web Streams. */
export function fromStream({ readable, writable }: MessageStream): Transport {
  return new StreamTransport(readable.getReader(), writable.getWriter());
}

class StreamTransport implements Transport {
  readonly #reader: ReadableStreamDefaultReader<Message>;
  readonly #writer: WritableStreamDefaultWriter<Message>;
  #onMessage: ((value: unknown) => void) | undefined;
  #onClose: ((reason: CloseReason) => void) | undefined;
  #closeReason: CloseReason | undefined;
  #released: Promise<void> | undefined;
  #resumed: Promise<void> | undefined;
  #resume: (() => void) | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(reader: ReadableStreamDefaultReader<Message>, writer: WritableStreamDefaultWriter<Message>) {
    this.#reader = reader;
    this.#writer = writer;
    writer.closed.catch(() => {});
  }

  send(message: Message): void | Promise<void> {
    if (this.#released) throw new TransportClosedError();
    const { desiredSize, ready } = this.#writer;
    this.#lastWrite = this.#writer
      .write(message)
      .catch((error: unknown) => this.#end({ kind: 'failed', error: asError(error) }));
    if ((desiredSize ?? 0) > 0) return;
    return ready.catch(() => {});
  }

  whenSent(): Promise<void> {
    return this.#lastWrite;
  }

  onMessage(listener: (value: unknown) => void): void {
    const isFirst = !this.#onMessage;
    this.#onMessage = listener;
    if (isFirst) void this.#read();
  }

  /** A stream of messages has no faulty frames: whoever made it has already parsed them. */
  onFault(_listener: (fault: TransportFault) => void): void {}

  onClose(listener: (reason: CloseReason) => void): void {
    this.#onClose = listener;
  }

  pause(): void {
    this.#resumed ??= new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  resume(): void {
    this.#resumed = undefined;
    this.#resume?.();
  }

  close(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async #release(): Promise<void> {
    this.#end({ kind: 'closed' });
    this.resume();
    await this.#writer.close().catch(() => {});
    await this.#reader.cancel().catch(() => {});
  }

  async #read(): Promise<void> {
    try {
      while (!this.#closeReason) {
        const next = await this.#reader.read();
        while (this.#resumed) await this.#resumed;
        if (next.done || this.#closeReason) break;
        this.#onMessage?.(next.value);
      }
      this.#end({ kind: 'ended' });
    } catch (error) {
      this.#end({ kind: 'failed', error: asError(error) });
    }
  }

  #end(reason: CloseReason): void {
    if (this.#closeReason) return;
    this.#closeReason = reason;
    this.#onClose?.(reason);
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
