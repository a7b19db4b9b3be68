import type { CloseReason, TransportFault } from '@parley/jsonrpc';
import { describeSyntaxError } from '../framing/describe-syntax-error.ts';
import { DEFAULT_MAX_DEPTH } from '../framing/framing.ts';
import { keepText } from '../framing/kept-text.ts';
import { isNestedDeeperThan } from '../framing/nesting.ts';

export interface InboxOptions {
  /** The deepest nesting that is read. Default: 1000. */
  readonly maxDepth?: number;
  /** Messages keep the text that they were read from. Default: false. */
  readonly keepsText?: boolean;
  /** Delivery stops: the wire should read no more. */
  readonly onHold?: () => void;
  /** Delivery goes on: the wire may read again. */
  readonly onFlow?: () => void;
}

/**
 * The receiving half of a transport whose wire already cuts its input into messages, such as WebSocket frames or server-sent
 * events. It keeps what arrives while nobody listens or the listener has paused, and delivers it in order, the end last.
 */
export class Inbox {
  readonly #maxDepth: number;
  readonly #keepsText: boolean;
  readonly #onHold: () => void;
  readonly #onFlow: () => void;
  #entries: Entry[] = [];
  #read = 0;
  #queuedBytes = 0;
  #receivedBytes = 0;
  #isPaused = false;
  #isDelivering = false;
  #isIgnoring = false;
  #flowing: { readonly promise: Promise<void>; readonly release: () => void } | undefined;
  #end: CloseReason | undefined;
  #reported: CloseReason | undefined;
  #messageListener: ((value: unknown) => void) | undefined;
  #faultListener: ((fault: TransportFault) => void) | undefined;
  #closeListener: ((reason: CloseReason) => void) | undefined;

  constructor(options: InboxOptions = {}) {
    const { maxDepth = DEFAULT_MAX_DEPTH, keepsText = false, onHold = () => {}, onFlow = () => {} } = options;
    this.#maxDepth = maxDepth;
    this.#keepsText = keepsText;
    this.#onHold = onHold;
    this.#onFlow = onFlow;
  }

  /** Whether what arrives now has to wait. */
  get isHeld(): boolean {
    return this.#isPaused || this.#messageListener === undefined;
  }

  /** How much waits to be delivered. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** How much has come, delivered or not. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Why the wire ended, once the listener could be told. */
  get closeReason(): CloseReason | undefined {
    return this.#reported;
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
    const reason = this.#reported;
    if (reason) queueMicrotask(() => listener(reason));
  }

  pause(): void {
    if (this.#isPaused || this.#reported) return;
    this.#isPaused = true;
    this.#onHold();
  }

  /** Delivery goes on after this returns, so that a listener is never entered from within its own caller. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#continue();
  }

  /** Resolves when what arrives is delivered at once, or never will be. A reader of streams waits for it before it reads on. */
  whenFlowing(): Promise<void> {
    if (!this.isHeld || this.#isIgnoring || this.#reported) return Promise.resolve();
    this.#flowing ??= createWait();
    return this.#flowing.promise;
  }

  /** Takes the text of one message, and how many bytes it had on the wire. */
  take(text: string, bytes: number): void {
    if (this.#end || this.#isIgnoring) return;
    this.#receivedBytes += bytes;
    if (this.#read === this.#entries.length && !this.isHeld && !this.#isDelivering)
      return this.#deliverText(text, bytes);
    this.#add({ text, bytes });
  }

  /** Takes a message that was parsed already, to be checked on its way in. */
  takeValue(value: unknown, bytes: number): void {
    if (this.#end) return;
    this.#receivedBytes += bytes;
    if (this.#read === this.#entries.length && !this.isHeld && !this.#isDelivering) this.#messageListener?.(value);
    else this.#add({ value, bytes });
  }

  takeFault(fault: TransportFault): void {
    if (this.#end || this.#isIgnoring) return;
    this.#add({ fault, bytes: fault.bytes });
    this.#deliver();
  }

  /** Nothing more will come: reports why, once everything is delivered. The first reason counts. */
  end(reason: CloseReason): void {
    this.#end ??= reason;
    this.#deliver();
  }

  /** Drops what was not delivered and what still comes: we are leaving, and the peer must not be held up by us. */
  ignore(): void {
    this.#isIgnoring = true;
    this.#entries = [];
    this.#read = 0;
    this.#queuedBytes = 0;
    this.#release();
  }

  /** Drops what was not delivered, and reports the end at once. */
  discard(reason: CloseReason): void {
    this.ignore();
    this.#end ??= reason;
    this.#report(reason);
  }

  #add(entry: Entry): void {
    this.#entries.push(entry);
    this.#queuedBytes += entry.bytes;
  }

  #continue(): void {
    queueMicrotask(() => {
      if (this.isHeld) return;
      this.#deliver();
      if (this.isHeld) return;
      this.#release();
      this.#onFlow();
    });
  }

  #deliver(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      while (!this.isHeld && this.#read < this.#entries.length) this.#deliverNext();
    } finally {
      this.#isDelivering = false;
      // Only a listener that throws leaves something to deliver.
      if (!this.isHeld && this.#read < this.#entries.length) this.#continue();
    }
    if (this.#end && !this.isHeld && this.#read === this.#entries.length) this.#report(this.#end);
  }

  #deliverNext(): void {
    const entry = this.#entries[this.#read];
    if (entry === undefined) return;
    this.#read += 1;
    this.#queuedBytes -= entry.bytes;
    if (this.#read === this.#entries.length) {
      this.#entries = [];
      this.#read = 0;
    }
    if ('fault' in entry) this.#faultListener?.(entry.fault);
    else if ('value' in entry) this.#messageListener?.(entry.value);
    else this.#deliverText(entry.text, entry.bytes);
  }

  #deliverText(text: string, bytes: number): void {
    if (isNestedDeeperThan(text, this.#maxDepth)) {
      const detail = `a message nested deeper than ${this.#maxDepth} levels`;
      return this.#faultListener?.({ kind: 'message_too_large', detail, bytes });
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return this.#faultListener?.({ kind: 'invalid_json', detail: describeSyntaxError(error), bytes });
    }
    if (this.#keepsText) keepText(value, text);
    this.#messageListener?.(value);
  }

  #report(reason: CloseReason): void {
    if (this.#reported) return;
    this.#reported = reason;
    this.#release();
    this.#closeListener?.(reason);
  }

  #release(): void {
    this.#flowing?.release();
    this.#flowing = undefined;
  }
}

type Entry =
  | { readonly value: unknown; readonly bytes: number }
  | { readonly text: string; readonly bytes: number }
  | { readonly fault: TransportFault; readonly bytes: number };

function createWait(): { readonly promise: Promise<void>; readonly release: () => void } {
  let release = () => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}
