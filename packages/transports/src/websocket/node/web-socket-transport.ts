import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import {
  type CloseReason,
  type Message,
  type Transport,
  TransportClosedError,
  type TransportFault,
} from '@parley/jsonrpc';
import type { WebSocket } from 'ws';
import { stringifyMessage } from '../../framing/stringify-message.ts';
import { CLOSE_CODES, isCleanClose } from '../../network/close-codes.ts';
import { DEFAULT_NETWORK_CLOSE_TIMEOUT_MS, DEFAULT_NETWORK_HIGH_WATER_BYTES } from '../../network/dial-options.ts';
import { explainFailure } from '../../network/explain-failure.ts';
import { Inbox } from '../../network/inbox.ts';
import { NetworkError } from '../../network/network-error.ts';
import { type LivenessOptions, watchLiveness } from './liveness.ts';

/** Frames of one tick leave together, and at the latest when they are this long. */
const MAX_CORKED_CHARACTERS = 64 * 1024;

export interface WebSocketTransportOptions extends LivenessOptions {
  /** The peer's name in errors. */
  readonly name: string;
  readonly maxDepth?: number;
  readonly keepsText?: boolean;
  readonly highWaterBytes?: number;
  readonly closeTimeoutMs?: number;
}

/** Messages over an open WebSocket of `ws`, one text frame each; binary frames are passed over, as the RFD says. */
export class WebSocketTransport implements Transport {
  readonly #socket: WebSocket;
  readonly #stream: Socket;
  readonly #name: string;
  readonly #highWaterBytes: number;
  readonly #closeTimeoutMs: number;
  readonly #inbox: Inbox;
  readonly #unwatch: () => void;
  #corkedCharacters = 0;
  #drained: { readonly promise: Promise<void>; readonly release: () => void } | undefined;
  /** What went wrong on this side, which the close code alone would not tell. */
  #failure: NetworkError | undefined;
  #closing: Promise<void> | undefined;

  /** `stream` is the connection under the WebSocket, as its `upgrade` event gives it. */
  constructor(socket: WebSocket, stream: Socket, options: WebSocketTransportOptions) {
    this.#socket = socket;
    this.#stream = stream;
    this.#name = options.name;
    this.#highWaterBytes = options.highWaterBytes ?? DEFAULT_NETWORK_HIGH_WATER_BYTES;
    this.#closeTimeoutMs = options.closeTimeoutMs ?? DEFAULT_NETWORK_CLOSE_TIMEOUT_MS;
    this.#inbox = new Inbox({
      ...(options.maxDepth !== undefined && { maxDepth: options.maxDepth }),
      ...(options.keepsText !== undefined && { keepsText: options.keepsText }),
      onHold: () => socket.pause(),
      onFlow: () => socket.resume(),
    });
    socket.pause();
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary && !this.#closing) this.#inbox.take(data.toString(), data.length);
    });
    socket.on('error', (error) => {
      this.#failure ??= explainFailure(error, this.#name);
    });
    socket.on('close', (code, reason) => this.#end(code, reason.toString()));
    stream.on('drain', () => this.#release());
    stream.on('close', () => this.#release());
    const isHeld = () => this.#inbox.isHeld;
    const onDead = (why: string) => {
      this.#failure ??= this.#lost(why);
      socket.terminate();
    };
    this.#unwatch = watchLiveness({ stream, isHeld, ping: () => socket.ping(), onDead }, options);
  }

  send(message: Message): void | Promise<void> {
    if (this.#closing || this.#socket.readyState !== this.#socket.OPEN) throw new TransportClosedError();
    const json = stringifyMessage(message);
    if (this.#corkedCharacters === 0) {
      this.#stream.cork();
      process.nextTick(flush, this);
    }
    this.#corkedCharacters += json.length;
    this.#socket.send(json);
    if (this.#corkedCharacters >= MAX_CORKED_CHARACTERS) this.flush();
    if (this.#stream.writableLength > this.#highWaterBytes) return this.#waitForDrain();
  }

  flush(): void {
    if (this.#corkedCharacters === 0) return;
    this.#corkedCharacters = 0;
    this.#stream.uncork();
  }

  whenSent(): Promise<void> {
    this.flush();
    if (!this.#stream.writable) return Promise.resolve();
    return new Promise((resolve) => void this.#stream.write('', () => resolve()));
  }

  onMessage(listener: (value: unknown) => void): void {
    this.#inbox.onMessage(listener);
  }

  onFault(listener: (fault: TransportFault) => void): void {
    this.#inbox.onFault(listener);
  }

  onClose(listener: (reason: CloseReason) => void): void {
    this.#inbox.onClose(listener);
  }

  pause(): void {
    this.#inbox.pause();
  }

  resume(): void {
    this.#inbox.resume();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const socket = this.#socket;
    this.flush();
    if (socket.readyState !== socket.CLOSED) {
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      let timer = setTimeout(() => socket.terminate(), this.#closeTimeoutMs);
      socket.close(CLOSE_CODES.normal);
      // The peer's own goodbye may be behind messages that nobody here wants any more.
      socket.resume();
      await Promise.race([this.whenSent(), closed]);
      clearTimeout(timer);
      timer = setTimeout(() => socket.terminate(), Math.min(GOODBYE_MS, this.#closeTimeoutMs));
      await closed;
      clearTimeout(timer);
    }
    this.#inbox.discard({ kind: 'closed' });
  }

  #end(code: number, reason: string): void {
    this.#unwatch();
    this.#release();
    if (this.#closing) return;
    if (!this.#failure && isCleanClose(code)) return this.#inbox.end({ kind: 'ended' });
    const why = reason === '' ? `code ${code}` : `code ${code}: ${reason}`;
    this.#inbox.end({ kind: 'failed', error: this.#failure ?? this.#lost(why, code) });
  }

  #lost(why: string, closeCode?: number): NetworkError {
    const message = `The connection to ${this.#name} was lost (${why}).`;
    return new NetworkError({ kind: 'dropped', message, closeCode });
  }

  #waitForDrain(): Promise<void> | undefined {
    this.flush();
    if (!this.#stream.writable || !this.#stream.writableNeedDrain) return undefined;
    if (!this.#drained) {
      let release = () => {};
      const promise = new Promise<void>((resolve) => {
        release = resolve;
      });
      this.#drained = { promise, release };
    }
    return this.#drained.promise;
  }

  #release(): void {
    this.#drained?.release();
    this.#drained = undefined;
  }
}

/** How long a peer that has been sent everything may take to say goodbye too. */
const GOODBYE_MS = 1000;

function flush(transport: WebSocketTransport): void {
  transport.flush();
}
