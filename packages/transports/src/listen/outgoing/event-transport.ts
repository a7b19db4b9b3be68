import { type CloseReason, type Message, TransportClosedError } from '@parley/jsonrpc';
import { stringifyMessage } from '../../framing/stringify-message.ts';
import { InboxTransport } from '../../network/inbox-transport.ts';
import { NetworkError } from '../../network/network-error.ts';
import type { ListenLimits } from '../limits.ts';
import type { OpenConnection } from '../registry.ts';
import { OutgoingStream } from './outgoing-stream.ts';

export interface EventTransportOptions {
  readonly principal: string;
  readonly limits: ListenLimits;
  readonly keepAliveMs: number;
  /** Default: that of the limits. */
  readonly idleMs?: number;
  /** Whether a request of the client waits for its answer, so that it is not idle though it reads no stream. */
  readonly isInUse?: () => boolean;
  /** The first bytes of each stream. */
  readonly greeting?: string;
  /**
   * The stream that a message belongs to: a session's, or `''` for that of the connection. Undefined when the message was
   * taken care of elsewhere, such as in the body of a response.
   */
  readonly routeOf: (message: Message, json: string) => string | undefined;
  /** The stream that must have been read first, where a message tells what was sent there. */
  readonly routeBefore?: (message: Message) => string | undefined;
  /** Called once, when the connection is over. */
  readonly onEnd: (reason: CloseReason) => void;
}

/** A connection whose client posts its messages, and reads ours from event streams that come and go. */
export class EventTransport extends InboxTransport implements OpenConnection {
  readonly principal: string;
  readonly #options: EventTransportOptions;
  readonly #streams = new Map<string, OutgoingStream>();
  #usedAt = Date.now();
  #state: 'open' | 'closing' | 'over' = 'open';
  #room: { readonly promise: Promise<void>; readonly release: () => void } | undefined;
  #closing: Promise<void> | undefined;
  #whenDrained: (() => void) | undefined;
  /** Answers that wait for another stream. */
  #deferred = 0;
  readonly #waitingPosts = new Set<() => void>();

  constructor(options: EventTransportOptions) {
    super({ maxDepth: options.limits.maxDepth });
    this.principal = options.principal;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get idleSince(): number | undefined {
    if (this.#options.isInUse?.()) return undefined;
    for (const stream of this.#streams.values()) if (stream.isAttached) return undefined;
    return this.#usedAt;
  }

  /** Whether so much was posted that is not delivered yet that no more is taken. */
  get isFull(): boolean {
    return this.inbox.queuedBytes > this.#options.limits.maxQueueBytes;
  }

  /** Takes a message that was posted. Resolves when it is delivered, so that a peer which is too fast has to wait. */
  async receive(message: unknown, bytes: number): Promise<void> {
    this.#usedAt = Date.now();
    this.inbox.takeValue(message, bytes);
    if (this.inbox.queuedBytes === 0) return;
    await new Promise<void>((resolve) => {
      this.#waitingPosts.add(resolve);
      void this.inbox.whenFlowing().then(() => this.#waitingPosts.delete(resolve) && resolve());
    });
  }

  /** The stream of a session, or of the connection; undefined when there are too many. */
  streamOf(route: string): OutgoingStream | undefined {
    const stream = this.#streams.get(route);
    if (stream) return stream;
    const { limits, keepAliveMs, greeting } = this.#options;
    if (this.#streams.size > limits.maxSessionStreams && !this.#dropIdleStream()) return undefined;
    const onChange = (): void => this.#onChange();
    const created = new OutgoingStream({
      replayBytes: limits.replayBytes,
      replayMessages: limits.replayMessages,
      stallMs: limits.stallMs,
      keepAliveMs,
      onChange,
      ...(greeting !== undefined && { greeting }),
    });
    this.#streams.set(route, created);
    return created;
  }

  send(message: Message): void | Promise<void> {
    if (this.#state !== 'open') throw new TransportClosedError();
    const json = stringifyMessage(message);
    const before = this.#options.routeBefore?.(message);
    const route = this.#options.routeOf(message, json);
    if (route === undefined) return;
    const stream = this.streamOf(route);
    if (!stream) return this.fail(tooMuch(`more than ${this.#options.limits.maxSessionStreams} sessions have streams`));
    if (before !== undefined && this.#mustWait(before)) return this.#sendAfter(before, () => stream.push(json));
    stream.push(json);
    const { maxQueueBytes, maxQueueMessages, highWaterBytes } = this.#options.limits;
    // One stream is the rule; the sums matter only when it has something to wait for.
    if (stream.unsentBytes <= highWaterBytes && this.#streams.size === 1 && stream.unsentMessages <= maxQueueMessages)
      return;
    const { bytes, messages } = this.#unsent();
    if (messages > maxQueueMessages) return this.fail(tooMuch(`${messages} messages wait for it`));
    if (bytes - json.length > maxQueueBytes) return this.fail(tooMuch(`${bytes} bytes wait for it`));
    if (bytes <= highWaterBytes) return;
    this.#room ??= createWait();
    return this.#room.promise;
  }

  async whenSent(): Promise<void> {
    await Promise.all([...this.#streams.values()].map((stream) => stream.whenSent()));
  }

  get receivedBytes(): number {
    return this.inbox.receivedBytes;
  }

  close(): Promise<void> {
    return this.shutDown(this.#options.limits.closeTimeoutMs);
  }

  shutDown(timeoutMs: number): Promise<void> {
    this.#closing ??= this.#state === 'over' ? Promise.resolve() : this.#shutDown(timeoutMs);
    return this.#closing;
  }

  /** The client has ended the connection in good order. */
  endByClient(): void {
    this.#end({ kind: 'ended' });
  }

  fail(error: Error): void {
    this.#end({ kind: 'failed', error });
  }

  tick(now: number): void {
    for (const stream of this.#streams.values()) stream.tick(now);
    const { idleSince } = this;
    const { idleMs = this.#options.limits.idleMs } = this.#options;
    if (idleSince === undefined || now - idleSince < idleMs) return;
    this.fail(new NetworkError({ kind: 'dropped', message: `The client has neither read nor sent for ${idleMs} ms.` }));
  }

  async #shutDown(timeoutMs: number): Promise<void> {
    this.#state = 'closing';
    // Stays until it is all sent; a client that has no stream open may still open one.
    if (!this.#isDrained) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#whenDrained = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const streams = [...this.#streams.values()];
    await Promise.all(streams.map((stream) => stream.end(timeoutMs)));
    this.#end({ kind: 'closed' });
  }

  #end(reason: CloseReason): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    for (const stream of this.#streams.values()) {
      if (reason.kind === 'failed') stream.fail('the connection has failed');
      else void stream.end(this.#options.limits.closeTimeoutMs);
    }
    this.#whenDrained?.();
    this.#room?.release();
    this.#options.onEnd(reason);
    if (reason.kind === 'closed') this.inbox.discard(reason);
    else this.inbox.end(reason);
    for (const release of this.#waitingPosts) release();
    this.#waitingPosts.clear();
  }

  get #isDrained(): boolean {
    return this.#deferred === 0 && this.#unsent().bytes === 0;
  }

  #mustWait(route: string): boolean {
    const stream = this.#streams.get(route);
    stream?.pump();
    return stream?.isAttached === true && stream.unsentBytes > 0;
  }

  #sendAfter(route: string, push: () => void): void {
    this.#deferred += 1;
    void this.#streams
      .get(route)
      ?.whenSent()
      .then(() => {
        this.#deferred -= 1;
        if (this.#state !== 'over') push();
        this.#onChange();
      });
  }

  #onChange(): void {
    this.#usedAt = Date.now();
    if (!this.#room && !this.#whenDrained) return;
    if (this.#isDrained) this.#whenDrained?.();
    if (this.#unsent().bytes > this.#options.limits.highWaterBytes) return;
    this.#room?.release();
    this.#room = undefined;
  }

  #unsent(): { bytes: number; messages: number } {
    let [bytes, messages] = [0, 0];
    for (const stream of this.#streams.values()) {
      bytes += stream.unsentBytes;
      messages += stream.unsentMessages;
    }
    return { bytes, messages };
  }

  /** Of a session that nobody reads and nothing waits for. */
  #dropIdleStream(): boolean {
    for (const [route, stream] of this.#streams) {
      if (route === '' || stream.isAttached || stream.unsentMessages > 0) continue;
      return this.#streams.delete(route);
    }
    return false;
  }
}

function tooMuch(what: string): NetworkError {
  return new NetworkError({ kind: 'dropped', message: `The client reads too slowly, or not at all: ${what}.` });
}

function createWait(): { readonly promise: Promise<void>; readonly release: () => void } {
  let release = () => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}
