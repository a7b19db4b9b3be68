import { type Message, TransportClosedError } from '@parley/jsonrpc';
import { countUtf8Bytes } from '../framing/encode-frame.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../framing/framing.ts';
import { stringifyMessage } from '../framing/stringify-message.ts';
import { CLOSE_CODES } from '../network/close-codes.ts';
import { DEFAULT_NETWORK_CLOSE_TIMEOUT_MS, DEFAULT_NETWORK_HIGH_WATER_BYTES } from '../network/dial-options.ts';
import { NetworkError } from '../network/network-error.ts';
import { messagesOfFrame } from '../network/subprotocol.ts';
import { CLOSED, OPEN, type PlatformWebSocket } from './platform-web-socket.ts';
import { WebSocketWire, type WebSocketWireOptions } from './web-socket-wire.ts';

/** How often the platform is asked how much is unsent: it has no event for that. */
const POLL_MS = 10;

/** A browser's WebSocket cannot be slowed down; with more than this unread while we are paused, the wire is given up. */
const DEFAULT_MAX_UNREAD_BYTES: number = 64 * 1024 * 1024;

export interface PlatformTransportOptions extends WebSocketWireOptions {
  readonly maxMessageBytes?: number;
  /** The most that is kept while reading is paused. Default: 64 MiB. */
  readonly maxUnreadBytes?: number;
}

/** Messages over an open WebSocket of the platform: one text frame each, or several in one where the server does that. */
export class PlatformWebSocketTransport extends WebSocketWire {
  readonly #socket: PlatformWebSocket;
  readonly #options: PlatformTransportOptions;
  readonly #released: Promise<void>;
  #drained: Promise<void> | undefined;

  constructor(socket: PlatformWebSocket, options: PlatformTransportOptions) {
    super(options);
    this.#socket = socket;
    this.#options = options;
    socket.onmessage = ({ data }) => {
      if (typeof data !== 'string') return;
      for (const text of messagesOfFrame(data, socket.protocol)) this.#take(text);
    };
    this.#released = new Promise((resolve) => {
      socket.onclose = ({ code, reason }) => {
        this.end(code, reason);
        resolve();
      };
    });
  }

  send(message: Message): void | Promise<void> {
    if (this.isClosing || this.#socket.readyState !== OPEN) throw new TransportClosedError();
    this.#socket.send(stringifyMessage(message));
    const { highWaterBytes = DEFAULT_NETWORK_HIGH_WATER_BYTES } = this.#options;
    if (this.#socket.bufferedAmount <= highWaterBytes) return;
    this.#drained ??= this.#whenUnsent(highWaterBytes / 2).then(() => {
      this.#drained = undefined;
    });
    return this.#drained;
  }

  whenSent(): Promise<void> {
    return this.#whenUnsent(0);
  }

  #take(text: string): void {
    if (this.isClosing || this.failure) return;
    const {
      maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES,
      maxUnreadBytes = DEFAULT_MAX_UNREAD_BYTES,
      name,
    } = this.#options;
    // Text has at least as many bytes as characters, and at most three for each; only in between they are counted.
    const bytes = text.length * 3 <= maxMessageBytes ? text.length : countUtf8Bytes(text);
    if (bytes > maxMessageBytes) {
      const detail = `a message of more than ${maxMessageBytes} bytes`;
      return this.inbox.takeFault({ kind: 'message_too_large', detail, bytes });
    }
    this.inbox.take(text, bytes);
    if (this.inbox.queuedBytes <= maxUnreadBytes) return;
    const message = `${name} sent more than ${maxUnreadBytes} bytes while reading was paused, and a browser cannot slow it down.`;
    this.failure ??= new NetworkError({ kind: 'too_large', message });
    this.#socket.close();
  }

  /** The platform sends what it has before it says goodbye, and waits for the peer to say so too. */
  protected closeSocket(): Promise<void> | undefined {
    if (this.#socket.readyState === CLOSED) return undefined;
    this.#socket.close(CLOSE_CODES.normal);
    return this.#whenReleased();
  }

  async #whenReleased(): Promise<void> {
    const { closeTimeoutMs = DEFAULT_NETWORK_CLOSE_TIMEOUT_MS } = this.#options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closeTimeoutMs);
    });
    await Promise.race([this.#released, late]);
    clearTimeout(timer);
  }

  /** Resolves when no more than this is unsent, or never will be sent. */
  async #whenUnsent(bytes: number): Promise<void> {
    while (this.#socket.bufferedAmount > bytes && this.#socket.readyState !== CLOSED) {
      await new Promise<void>((resolve) => {
        setTimeout(resolve, POLL_MS);
      });
    }
  }
}
