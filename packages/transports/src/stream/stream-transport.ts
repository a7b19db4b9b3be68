import type { Readable, Writable } from 'node:stream';
import {
  type CloseReason,
  type Message,
  type Transport,
  TransportClosedError,
  type TransportFault,
} from '@parley/jsonrpc';
import { FrameDecoder } from '../framing/frame-decoder.ts';
import type { Framing, WireFraming } from '../framing/framing.ts';
import { MessageWriter, type MessageWriterOptions } from './message-writer.ts';
import { nodeTextCodec } from './node-text-codec.ts';

/** How long `close` waits for a peer that does not read what is still to be sent. */
export const DEFAULT_CLOSE_TIMEOUT_MS: number = 2000;

/** When the peer is known to be gone, input this long after the last is not expected any more. */
const QUIET_MS = 250;

export interface StreamOptions extends MessageWriterOptions {
  /** Default: `newline`. With `auto`, both are read and the peer is answered in kind. */
  readonly framing?: Framing;
  /** The largest message that is read. Default: 32 MiB. */
  readonly maxMessageBytes?: number;
  /** The deepest nesting that is read. Default: 1000. */
  readonly maxDepth?: number;
  /** Messages keep the text that they were read from, and are sent again as that: for whoever passes them on. Default: false. */
  readonly keepsText?: boolean;
  /** How long `close` waits for a peer that does not read. Default: 2 s. */
  readonly closeTimeoutMs?: number;
}

/** The two ends of a wire, and what is special about ending it. */
export interface StreamEnds {
  readonly readable: Readable;
  readonly writable: Writable;
  /** Leaves the output open on `close`, since others may use it too. */
  readonly keepsOutput?: boolean;
  /** Called on `close`, when everything is written. */
  readonly release?: () => void | Promise<void>;
  /** Receives lines that cannot be meant as messages; without it they are messages and faults like all others. */
  readonly onNoise?: (line: string) => void;
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
  #isStopped = false;
  /** How many chunks have arrived. */
  #chunks = 0;
  #canSend = true;
  #hasLostOutput = false;
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
        ...(ends.onNoise && { onNoise: ends.onNoise }),
      },
      { ...options, codec: nodeTextCodec },
    );
    this.#decoder.pause();
    this.#listen(ends.readable);
    ends.writable.on('error', (error: Error) => this.loseOutput(error));
  }

  /** The framing of the peer's first message; `newline` until there is one. */
  get peerFraming(): WireFraming {
    return this.#decoder.peerFraming;
  }

  send(message: Message): void | Promise<void> {
    if (!this.#canSend) throw new TransportClosedError();
    const framing = this.#framing === 'auto' ? this.#decoder.peerFraming : this.#framing;
    return this.#writer.send(message, framing);
  }

  whenSent(): Promise<void> {
    return this.#writer.whenSent();
  }

  onMessage(listener: (value: unknown) => void): void {
    this.#messageListener = listener;
    if (!this.#isPaused) this.#continue();
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
    if (this.#isStopped) return;
    this.#isPaused = true;
    this.#decoder.pause();
    this.#ends.readable.pause();
  }

  /** Delivery goes on after this returns, so that a listener is never entered from within its own caller. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#continue();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Ends the wire at once, as if the peer had ended it. What was not delivered yet never is. */
  end(): void {
    this.#stopReading();
    this.#ends.readable.destroy();
    this.#finish({ kind: 'ended' });
  }

  /** Ends the wire as if the peer had ended it, once nothing has arrived for a while. */
  endWhenQuiet(reason: CloseReason): void {
    let seenChunks = -1;
    const timer = setInterval(() => {
      const isQuiet = this.#isReading && this.#chunks === seenChunks;
      seenChunks = this.#chunks;
      if (isQuiet) this.#endInput(reason);
      if (isQuiet || this.#finishing) clearInterval(timer);
    }, QUIET_MS).unref();
  }

  /** The peer reads no more. What it has sent before is still delivered; what we send is lost until the close. */
  loseOutput(error: Error): void {
    if (this.#hasLostOutput) return;
    this.#hasLostOutput = true;
    this.endWhenQuiet({ kind: 'failed', error });
  }

  get #isReading(): boolean {
    return this.#messageListener !== undefined && !this.#isPaused && !this.#isStopped;
  }

  #listen(readable: Readable): void {
    // Paused first, since a listener for data would start the flow.
    readable.pause();
    readable.on('data', (chunk: Uint8Array) => {
      this.#chunks += 1;
      this.#decoder.write(chunk);
      // Node lets the streams of a child flow when it exits, paused or not.
      if (!this.#isReading) readable.pause();
    });
    readable.once('end', () => this.#decoder.end());
    readable.once('close', () => this.#decoder.end());
    readable.on('error', (error: Error) => this.#endInput({ kind: 'failed', error }));
    if (readable.destroyed || readable.readableEnded) this.#decoder.end();
  }

  #continue(): void {
    queueMicrotask(() => {
      if (!this.#isReading) return;
      this.#decoder.resume();
      if (this.#isReading) this.#ends.readable.resume();
    });
  }

  /** What still arrives is thrown away: a peer that is stuck in writing could not end. */
  #stopReading(): void {
    this.#decoder.pause();
    this.#isStopped = true;
    this.#ends.readable.removeAllListeners('data').resume();
  }

  #endInput(reason: CloseReason): void {
    this.#endReason = reason;
    this.#decoder.end();
  }

  async #close(): Promise<void> {
    this.#canSend = false;
    const { readable, release, keepsOutput = false } = this.#ends;
    this.#stopReading();
    await this.#writer.finish({ keepsOpen: keepsOutput, timeoutMs: this.#closeTimeoutMs });
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
