import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { type Message, TransportClosedError } from '@parley/jsonrpc';
import type { WebSocket } from 'ws';
import { stringifyMessage } from '../../framing/stringify-message.ts';
import { CLOSE_CODES } from '../../network/close-codes.ts';
import { DEFAULT_NETWORK_CLOSE_TIMEOUT_MS, DEFAULT_NETWORK_HIGH_WATER_BYTES } from '../../network/dial-options.ts';
import { explainFailure } from '../../network/explain-failure.ts';
import { WebSocketWire, type WebSocketWireOptions } from '../web-socket-wire.ts';
import { type LivenessOptions, watchLiveness } from './liveness.ts';

/** Frames of one tick leave together, and at the latest when they are this long. */
const MAX_CORKED_CHARACTERS = 64 * 1024;

export interface WebSocketTransportOptions extends WebSocketWireOptions, LivenessOptions {}

/** Messages over an open WebSocket of `ws`, one text frame each; binary frames are passed over, as the RFD says. */
export class WebSocketTransport extends WebSocketWire {
  readonly #socket: WebSocket;
  readonly #stream: Socket;
  readonly #highWaterBytes: number;
  readonly #closeTimeoutMs: number;
  readonly #unwatch: () => void;
  #corkedCharacters = 0;
  #drained: { readonly promise: Promise<void>; readonly release: () => void } | undefined;

  /** `stream` is the connection under the WebSocket, as its `upgrade` event gives it. */
  constructor(socket: WebSocket, stream: Socket, options: WebSocketTransportOptions) {
    super(options, { onHold: () => socket.pause(), onFlow: () => socket.resume() });
    this.#socket = socket;
    this.#stream = stream;
    this.#highWaterBytes = options.highWaterBytes ?? DEFAULT_NETWORK_HIGH_WATER_BYTES;
    this.#closeTimeoutMs = options.closeTimeoutMs ?? DEFAULT_NETWORK_CLOSE_TIMEOUT_MS;
    socket.pause();
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary && !this.isClosing) this.inbox.take(data.toString(), data.length);
    });
    socket.on('error', (error) => {
      this.failure ??= explainFailure(error, options.name);
    });
    socket.on('close', (code, reason) => {
      this.#unwatch();
      this.#release();
      this.end(code, reason.toString());
    });
    stream.on('drain', () => this.#release());
    stream.on('close', () => this.#release());
    const isHeld = () => this.inbox.isHeld;
    const onDead = (why: string) => {
      this.failure ??= this.lost(why);
      socket.terminate();
    };
    this.#unwatch = watchLiveness({ stream, isHeld, ping: () => socket.ping(), onDead }, options);
  }

  send(message: Message): void | Promise<void> {
    if (this.isClosing || this.#socket.readyState !== this.#socket.OPEN) throw new TransportClosedError();
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

  protected closeSocket(): Promise<void> | undefined {
    this.flush();
    return this.#socket.readyState === this.#socket.CLOSED ? undefined : this.#sayGoodbye();
  }

  async #sayGoodbye(): Promise<void> {
    const socket = this.#socket;
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
