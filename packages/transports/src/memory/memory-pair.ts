import {
  type CloseReason,
  type Message,
  type Transport,
  TransportClosedError,
  type TransportFault,
} from '@parley/jsonrpc';
import { cloneJson } from '@parley/jsonrpc/internal';
import { UnsendableMessageError } from '../framing/unsendable-message-error.ts';

/** With more than this many messages unread, `send` returns a promise. */
export const DEFAULT_HIGH_WATER_MESSAGES: number = 1024;

export interface MemoryPairOptions {
  /** With more than this many messages unread, `send` returns a promise. Default: 1024. */
  readonly highWaterMessages?: number;
}

/** Two transports joined in this process: what one sends, the other receives as a copy, in order, in a later turn. */
export function createMemoryPair(options: MemoryPairOptions = {}): readonly [Transport, Transport] {
  const { highWaterMessages = DEFAULT_HIGH_WATER_MESSAGES } = options;
  const left = new MemoryTransport(highWaterMessages);
  const right = new MemoryTransport(highWaterMessages);
  left.join(right);
  right.join(left);
  return [left, right];
}

class MemoryTransport implements Transport {
  readonly #highWaterMessages: number;
  #peer: MemoryTransport = this;

  #inbox: unknown[] = [];
  #read = 0;
  #isScheduled = false;
  #isPaused = false;
  #hasPeerEnded = false;
  #state: 'open' | 'closed' = 'open';
  #reason: CloseReason | undefined;
  #drained: Promise<void> | undefined;
  #release: (() => void) | undefined;
  /** Those who wait until so many messages of all that were ever received are read. */
  #readWaits: { readonly until: number; readonly release: () => void }[] = [];
  #readBefore = 0;

  #messageListener: ((value: unknown) => void) | undefined;
  #closeListener: ((reason: CloseReason) => void) | undefined;

  constructor(highWaterMessages: number) {
    this.#highWaterMessages = highWaterMessages;
  }

  join(peer: MemoryTransport): void {
    this.#peer = peer;
  }

  send(message: Message): void | Promise<void> {
    if (this.#state === 'closed' || this.#peer.#state === 'closed') throw new TransportClosedError();
    return this.#peer.#receive(cloneMessage(message));
  }

  whenSent(): Promise<void> {
    return this.#peer.#whenRead();
  }

  onMessage(listener: (value: unknown) => void): void {
    this.#messageListener = listener;
    this.#schedule();
  }

  /** Nothing can go wrong here, so there is nothing to report. */
  onFault(_listener: (fault: TransportFault) => void): void {}

  onClose(listener: (reason: CloseReason) => void): void {
    this.#closeListener = listener;
    const reason = this.#reason;
    if (reason) queueMicrotask(() => listener(reason));
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#schedule();
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#peer.#hasPeerEnded = true;
    this.#peer.#schedule();
    this.#inbox = [];
    this.#read = 0;
    this.#releaseSender();
    for (const { release } of this.#readWaits.splice(0)) release();
    this.#report({ kind: 'closed' });
  }

  /** Resolves when what is in the inbox now has been read, or never will be. */
  #whenRead(): Promise<void> {
    if (this.#state === 'closed' || this.#read === this.#inbox.length) return Promise.resolve();
    return new Promise((release) => this.#readWaits.push({ until: this.#readBefore + this.#inbox.length, release }));
  }

  #receive(message: unknown): void | Promise<void> {
    this.#inbox.push(message);
    this.#schedule();
    if (this.#inbox.length - this.#read <= this.#highWaterMessages) return;
    this.#drained ??= new Promise((resolve) => {
      this.#release = resolve;
    });
    return this.#drained;
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#messageListener) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    this.#isScheduled = false;
    try {
      while (this.#canDeliver) this.#messageListener?.(this.#takeNext());
    } finally {
      // Only a listener that throws leaves something to deliver.
      if (this.#canDeliver) this.#schedule();
    }
    if (this.#state === 'open' && this.#hasPeerEnded && !this.#isPaused) this.#report({ kind: 'ended' });
  }

  get #canDeliver(): boolean {
    return !this.#isPaused && this.#state === 'open' && this.#read < this.#inbox.length;
  }

  #takeNext(): unknown {
    const message = this.#inbox[this.#read];
    this.#inbox[this.#read] = undefined;
    this.#read += 1;
    if (this.#readWaits.length > 0) this.#releaseWaits();
    if (this.#read === this.#inbox.length) {
      this.#readBefore += this.#read;
      this.#inbox.length = 0;
      this.#read = 0;
      this.#releaseSender();
    }
    return message;
  }

  #releaseWaits(): void {
    const isRead = this.#readBefore + this.#read;
    while (this.#readWaits[0] && this.#readWaits[0].until <= isRead) this.#readWaits.shift()?.release();
  }

  #releaseSender(): void {
    this.#release?.();
    this.#release = undefined;
    this.#drained = undefined;
  }

  #report(reason: CloseReason): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#closeListener?.(reason);
  }
}

function cloneMessage(message: Message): unknown {
  let copy: unknown;
  try {
    copy = cloneJson(message);
  } catch (cause) {
    throw new UnsendableMessageError(message, cause);
  }
  if (copy === undefined) throw new UnsendableMessageError(message);
  return copy;
}
