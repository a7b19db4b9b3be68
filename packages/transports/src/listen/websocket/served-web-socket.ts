import type { Duplex } from 'node:stream';
import {
  isNotification,
  isRequest,
  isResponse,
  type Message,
  type Request,
  type RequestId,
  type SuccessResponse,
  TransportClosedError,
} from '@parley/jsonrpc';
import type { RawData, WebSocket } from 'ws';
import { stringifyMessage } from '../../framing/stringify-message.ts';
import { CLOSE_CODES, isCleanClose } from '../../network/close-codes.ts';
import { InboxTransport } from '../../network/inbox-transport.ts';
import { MAX_MISSED_PINGS } from '../../network/limits.ts';
import { NetworkError } from '../../network/network-error.ts';
import { LINES_SUBPROTOCOL, messagesOfFrame } from '../../network/subprotocol.ts';
import { nodeTextCodec } from '../../stream/node-text-codec.ts';
import type { ListenLimits } from '../limits.ts';
import type { OpenConnection } from '../registry.ts';
import { withConnectionId } from '../welcome.ts';
import { FrameWriter } from './frame-writer.ts';

export interface ServedWebSocketOptions {
  readonly socket: WebSocket;
  /** What the WebSocket stands on. */
  readonly stream: Duplex;
  readonly principal: string;
  /** As the answer to the upgrade names it. */
  readonly connectionId: string;
  readonly limits: ListenLimits;
  /** Called once, when the connection is over. */
  readonly onEnd: () => void;
}

/** A client on a WebSocket, as the server sees it: one text frame is one message, or more of them where the client wants that. */
export class ServedWebSocket extends InboxTransport implements OpenConnection {
  readonly principal: string;
  /** Whoever has said something uses it; a WebSocket on which nothing was ever said was abandoned. */
  idleSince: number | undefined = Date.now();
  readonly #options: ServedWebSocketOptions;
  readonly #writer: FrameWriter;
  readonly #openedAt = Date.now();
  /** Until its answer: the id of `initialize`. */
  #initializeId: RequestId | undefined;
  #isInitialized = false;
  #state: 'open' | 'closing' | 'failing' | 'over' = 'open';
  #room: { readonly promise: Promise<void>; readonly release: () => void } | undefined;
  #pingedAt = Date.now();
  #missedPings = 0;
  /** Why we end it, when the close of the socket would not say. */
  #error: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ServedWebSocketOptions) {
    const { socket, stream, limits, principal } = options;
    super({ maxDepth: limits.maxDepth, onHold: () => socket.pause(), onFlow: () => socket.resume() });
    this.#options = options;
    this.principal = principal;
    this.#writer = new FrameWriter(stream, { joinsMessages: socket.protocol === LINES_SUBPROTOCOL });
    socket.pause();
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('ping', () => this.#hear());
    socket.on('pong', () => this.#hear());
    socket.on('error', (error) => {
      this.#error ??= error;
    });
    socket.on('close', (code, reason) => this.#finish(code, reason.toString()));
    this.#writer.onDrain(() => this.#releaseSender());
  }

  send(message: Message): void | Promise<void> {
    if (this.#state !== 'open') throw new TransportClosedError();
    this.#writer.write(stringifyMessage(this.#isWelcome(message) ? this.#welcome(message) : message));
    const { unsentBytes } = this.#writer;
    const { highWaterBytes, maxQueueBytes, maxMessageBytes } = this.#options.limits;
    if (unsentBytes <= highWaterBytes) return;
    // The largest message fits whatever the limit of the queue is.
    if (unsentBytes > maxQueueBytes + maxMessageBytes) {
      return this.#drop(`The client reads too slowly: ${unsentBytes} bytes wait for it.`);
    }
    this.#room ??= createWait();
    return this.#room.promise;
  }

  whenSent(): Promise<void> {
    return this.#writer.whenSent();
  }

  get receivedBytes(): number {
    return this.inbox.receivedBytes;
  }

  override onMessage(listener: (value: unknown) => void): void {
    this.inbox.onMessage((value) => {
      if (this.#isInitialized || this.#begin(value)) listener(value);
    });
  }

  close(): Promise<void> {
    return this.#close(CLOSE_CODES.normal, this.#options.limits.closeTimeoutMs);
  }

  shutDown(timeoutMs: number): Promise<void> {
    return this.#close(CLOSE_CODES.goingAway, timeoutMs);
  }

  fail(error: Error): void {
    this.#error ??= error;
    if (this.#state === 'open') this.#state = 'failing';
    this.#options.socket.terminate();
  }

  /** A peer that we do not read, because its messages are held up here, cannot show that it is alive. */
  tick(now: number): void {
    const { pingMs, stallMs, idleMs, initializeMs } = this.#options.limits;
    const isLate = !this.#isInitialized && now - this.#openedAt >= initializeMs;
    if (isLate && this.#state === 'open') return this.#refuse(`initialize did not come within ${initializeMs} ms`);
    if (this.idleSince !== undefined && now - this.idleSince >= idleMs) {
      return this.#drop(`The client has said nothing for ${idleMs} ms.`);
    }
    if (this.#writer.stalledMs(now) >= stallMs) return this.#drop(`The client has read nothing for ${stallMs} ms.`);
    if (now - this.#pingedAt < pingMs || this.#state !== 'open') return;
    this.#pingedAt = now;
    if (this.inbox.isHeld) return;
    if (this.#missedPings >= MAX_MISSED_PINGS) return this.#drop(`No sign of life for ${this.#missedPings} pings.`);
    this.#missedPings += 1;
    this.#options.socket.ping();
  }

  /** Takes the first message of the protocol, which must be `initialize`. What is no message is the connection's to answer. */
  #begin(value: unknown): boolean {
    if (this.#state !== 'open') return false;
    const { method, id } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Request>;
    if (method === 'initialize' && (typeof id === 'string' || typeof id === 'number')) {
      this.#isInitialized = true;
      this.#initializeId = id;
    } else if (isRequest(value) || isNotification(value) || isResponse(value)) {
      this.#refuse('the first message must be initialize, with an id');
      return false;
    }
    return true;
  }

  #isWelcome(message: Message): message is SuccessResponse {
    return this.#initializeId !== undefined && 'result' in message && message.id === this.#initializeId;
  }

  #welcome(response: SuccessResponse): Message {
    this.#initializeId = undefined;
    return withConnectionId(response, this.#options.connectionId);
  }

  /** The client does not speak ACP: the close says so, and what it still sends is thrown away. */
  #refuse(message: string): void {
    const { socket, limits } = this.#options;
    this.#error ??= new NetworkError({ kind: 'not_acp', message: `The client was turned away: ${message}.` });
    this.#state = 'failing';
    const timer = setTimeout(() => socket.terminate(), limits.closeTimeoutMs);
    socket.once('close', () => clearTimeout(timer));
    socket.resume();
    socket.close(CLOSE_CODES.protocolError, message);
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#missedPings = 0;
    this.idleSince = undefined;
    // What still arrives while we close is thrown away, until the peer's half of the closing comes.
    if (isBinary || !Buffer.isBuffer(data) || this.#state !== 'open') return;
    const text = nodeTextCodec.utf8(data, 0, data.length);
    const messages = messagesOfFrame(text, this.#options.socket.protocol);
    if (messages.length === 1) return this.inbox.take(messages[0] ?? '', data.length);
    for (const message of messages) this.inbox.take(message, Buffer.byteLength(message));
  }

  #hear(): void {
    this.#missedPings = 0;
  }

  #drop(message: string): void {
    this.fail(new NetworkError({ kind: 'dropped', message }));
  }

  #close(code: number, timeoutMs: number): Promise<void> {
    this.#closing ??= this.#state === 'over' ? Promise.resolve() : this.#closeNow(code, timeoutMs);
    return this.#closing;
  }

  async #closeNow(code: number, timeoutMs: number): Promise<void> {
    const { socket } = this.#options;
    this.#state = 'closing';
    const timer = setTimeout(() => socket.terminate(), timeoutMs);
    await this.#writer.whenSent();
    await new Promise<void>((resolve) => {
      if (socket.readyState === socket.CLOSED) return resolve();
      socket.once('close', () => resolve());
      socket.resume();
      socket.close(code);
    });
    clearTimeout(timer);
    this.inbox.discard({ kind: 'closed' });
  }

  #finish(code: number, said: string): void {
    const wasClosing = this.#state === 'closing';
    this.#state = 'over';
    this.#releaseSender();
    this.#options.onEnd();
    if (wasClosing) return this.inbox.discard({ kind: 'closed' });
    if (!this.#error && isCleanClose(code)) return this.inbox.end({ kind: 'ended' });
    const error = this.#error ?? describeClose(code, said);
    this.inbox.end({ kind: 'failed', error });
  }

  #releaseSender(): void {
    if (this.#state !== 'over' && this.#writer.unsentBytes > this.#options.limits.highWaterBytes) return;
    this.#room?.release();
    this.#room = undefined;
  }
}

function describeClose(code: number, said: string): NetworkError {
  const what =
    code === CLOSE_CODES.abnormal ? 'The client went away without a word.' : `The client closed with ${code}.`;
  return new NetworkError({
    kind: 'dropped',
    message: said === '' ? what : `${what} It said: ${said}`,
    closeCode: code,
  });
}

function createWait(): { readonly promise: Promise<void>; readonly release: () => void } {
  let release = () => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}
