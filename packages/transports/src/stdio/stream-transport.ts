import type { Readable, Writable } from 'node:stream';
import {
  type CloseReason,
  type Message,
  type Transport,
  TransportClosedError,
  type TransportFault,
} from '@parley/jsonrpc';
import { FrameDecoder } from '../framing/frame-decoder.ts';
import type { Framing } from '../framing/framing.ts';
import { endOutput } from './end-output.ts';
import { MessageWriter } from './message-writer.ts';
import { nodeTextCodec } from './node-text-codec.ts';

/** How long `close` waits for a peer that does not read what is still to be sent. */
export const DEFAULT_CLOSE_TIMEOUT_MS: number = 2000;

/** How long input may still arrive once the peer has stopped reading our output. */
const INPUT_GRACE_MS = 1000;

export interface StreamOptions {
  /** Default: `newline`. With `auto`, both are read and the peer is answered in kind. */
  readonly framing?: Framing;
  /** The largest message that is read. Default: 32 MiB. */
  readonly maxMessageBytes?: number;
  /** The deepest nesting that is read. Default: 1000. */
  readonly maxDepth?: number;
  /** With more than this unsent, `send` returns a promise. Default: 256 KiB. */
  readonly highWaterBytes?: number;
  /** How long `close` waits for a peer that does not read. Default: 2 s. */
  readonly closeTimeoutMs?: number;
}

/** The two ends of a wire, and what is special about ending it. */
export interface StreamEnds {
  readonly readable: Readable;
  readonly writable: Writable;
  /** Ends the output once everything is written. Default: ends the stream. */
  readonly release?: () => void | Promise<void>;
  /** Asked before the close is reported, to wait for more news of the peer and to tell it. */
  readonly explain?: (reason: CloseReason) => CloseReason | Promise<CloseReason>;
}

/** Messages over a pair of Node byte streams: pipes, sockets, files. */
export class StreamTransport implements Transport {
  readonly #ends: StreamEnds;
  readonly #framing: Framing;
  readonly #closeTimeoutMs: number;
  readonly #decoder: FrameDecoder;
  readonly #writer: MessageWriter;

  #messageListener: ((value: unknown) => void) | undefined;
  #faultListener: ((fault: TransportFault) => void) | undefined;
  #closeListener: ((reason: CloseReason) => void) | undefined;

  #isPaused = false;
  #canSend = true;
  /** Why the input ends, when that is known before all of it was delivered. */
  #endReason: CloseReason = { kind: 'ended' };
  #finishing: Promise<void> | undefined;
  #finalReason: CloseReason | undefined;
  #closing: Promise<void> | undefined;

  constructor(ends: StreamEnds, options: StreamOptions = {}) {
    const { framing = 'newline', closeTimeoutMs = DEFAULT_CLOSE_TIMEOUT_MS } = options;
    this.#ends = ends;
    this.#framing = framing;
    this.#closeTimeoutMs = closeTimeoutMs;
    this.#writer = new MessageWriter(ends.writable, options);
    this.#decoder = new FrameDecoder(
      {
        onValue: (value) => this.#messageListener?.(value),
        onFault: (fault) => this.#faultListener?.(fault),
        onEnd: () => this.#finish(this.#endReason),
      },
      { ...options, codec: nodeTextCodec },
    );
    ends.readable.on('error', (error: Error) => this.#endInput({ kind: 'failed', error }));
    ends.writable.on('error', (error: Error) => this.#loseOutput(error));
  }

  send(message: Message): void | Promise<void> {
    if (!this.#canSend) throw new TransportClosedError();
    const framing = this.#framing === 'auto' ? this.#decoder.peerFraming : this.#framing;
    return this.#writer.send(message, framing);
  }

  onMessage(listener: (value: unknown) => void): void {
    const isFirst = this.#messageListener === undefined;
    this.#messageListener = listener;
    if (isFirst) this.#startReading();
  }

  onFault(listener: (fault: TransportFault) => void): void {
    this.#faultListener = listener;
  }

  onClose(listener: (reason: CloseReason) => void): void {
    this.#closeListener = listener;
    const reason = this.#finalReason;
    if (reason) queueMicrotask(() => listener(reason));
  }

  pause(): void {
    this.#isPaused = true;
    this.#decoder.pause();
    this.#ends.readable.pause();
  }

  /** Delivery goes on after this returns, so that a listener is never entered from within its own caller. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    queueMicrotask(() => {
      if (this.#isPaused || this.#closing) return;
      this.#decoder.resume();
      if (!this.#isPaused && this.#messageListener) this.#ends.readable.resume();
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Ends the wire as if the peer had ended it, after what it has sent so far. */
  end(reason: CloseReason = { kind: 'ended' }): void {
    this.#endInput(reason);
  }

  #startReading(): void {
    const { readable } = this.#ends;
    readable.on('data', (chunk: Uint8Array) => this.#decoder.write(chunk));
    readable.once('end', () => this.#decoder.end());
    readable.once('close', () => this.#decoder.end());
    if (readable.destroyed) this.#decoder.end();
    if (this.#isPaused) readable.pause();
  }

  #endInput(reason: CloseReason): void {
    this.#endReason = reason;
    this.#decoder.end();
  }

  /** The peer reads no more. What it has sent before is still delivered. */
  #loseOutput(error: Error): void {
    this.#canSend = false;
    setTimeout(() => this.#endInput({ kind: 'failed', error }), INPUT_GRACE_MS).unref();
  }

  async #close(): Promise<void> {
    this.#canSend = false;
    this.#decoder.pause();
    this.#ends.readable.pause();
    this.#writer.flush();
    const { writable, readable, release } = this.#ends;
    await endOutput(writable, { timeoutMs: this.#closeTimeoutMs, keepOpen: release !== undefined });
    await release?.();
    readable.destroy();
    await this.#finish({ kind: 'closed' });
  }

  #finish(reason: CloseReason): Promise<void> {
    this.#finishing ??= this.#report(reason);
    return this.#finishing;
  }

  async #report(reason: CloseReason): Promise<void> {
    const { explain } = this.#ends;
    const finalReason = explain ? await explain(reason) : reason;
    if (finalReason.kind !== 'ended') this.#canSend = false;
    this.#finalReason = finalReason;
    this.#closeListener?.(finalReason);
  }
}
