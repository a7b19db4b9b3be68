import type { CloseReason, Message, Transport, TransportFault } from '@parley/jsonrpc';
import type { DialectName } from '../names.ts';
import type { DialectChoice, DialectOptions } from '../options.ts';
import { type Later, type Outcome, toPeer, toUs } from '../translate/outcome.ts';
import { readMessage } from '../translate/read-message.ts';
import { createDialectState, type DialectState, note } from '../translate/state.ts';
import { writeMessage } from '../translate/write-message.ts';
import type { PastMessage } from './past.ts';

/**
 * Puts a dialect on any transport: our side speaks canonical ACP v1, the peer its own words.
 *
 * `canonical` gives the transport itself back and costs nothing. `auto` reads every dialect and writes what the peer's
 * messages show it to speak; `dialectOf` and `onDialect` tell which that is.
 */
export function withDialect(transport: Transport, choice: DialectName | 'auto' | DialectOptions): Transport {
  const options = typeof choice === 'string' ? { dialect: choice } : choice;
  if (options.dialect === 'canonical') return transport;
  const state = createDialectState(options);
  const wrapped = new DialectTransport(transport, state);
  STATES.set(wrapped, state);
  if (options.dialect !== 'auto') options.onDialect?.(state.choice);
  return wrapped;
}

/** Which dialect is spoken on a transport, and how that is known. */
export function dialectOf(transport: Transport): DialectChoice {
  return (
    STATES.get(transport)?.choice ?? { dialect: 'canonical', because: 'no dialect was put on it', isCertain: true }
  );
}

export interface Continuation {
  readonly options: Omit<DialectOptions, 'dialect'>;
  /** What the next message shows. */
  readonly choice: DialectChoice;
  /** What was said before, in canonical words. */
  readonly past: Iterable<PastMessage>;
}

/** Puts a dialect on a transport in the middle of a conversation; `receive` takes the message that has shown it. */
export function continueInDialect(
  transport: Transport,
  { options, choice, past }: Continuation,
): { readonly transport: Transport; readonly receive: (value: unknown) => void } {
  const state = createDialectState({ ...options, dialect: 'auto' });
  for (const { direction, message } of past) {
    if (direction === 'in') readMessage(message, state);
    else writeMessage(message as unknown as Message, state);
  }
  state.choice = choice;
  options.onDialect?.(choice);
  const wrapped = new DialectTransport(transport, state);
  STATES.set(wrapped, state);
  return { transport: wrapped, receive: (value) => wrapped.receive(value) };
}

const STATES = new WeakMap<Transport, DialectState>();

class DialectTransport implements Transport {
  readonly #inner: Transport;
  readonly #state: DialectState;
  readonly whenSent?: () => Promise<void>;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  /** What our side has not taken yet: the rest of one message's outcome while paused, or an answer made here. */
  readonly #held: unknown[] = [];
  /** Where in `held` the next one is: taking it from the front would cost more the more there are. */
  #next = 0;
  #isPaused = false;
  /** A message from the peer is still being read; what comes behind it waits on the wire. */
  #isReading = false;
  #isDelivering = false;
  #listener: ((value: unknown) => void) | undefined;
  #closeListener: ((reason: CloseReason) => void) | undefined;
  #closeReason: CloseReason | undefined;

  constructor(inner: Transport, state: DialectState) {
    this.#inner = inner;
    this.#state = state;
    if (inner.whenSent) this.whenSent = inner.whenSent.bind(inner);
  }

  send(message: Message): void | Promise<void> {
    const { toUs: ours, toPeer: theirs, close } = this.#write(message);
    let wait: Promise<void> | undefined;
    for (const written of theirs) {
      const slow = this.#inner.send(written);
      if (slow) wait = slow;
    }
    if (ours.length > 0) {
      for (const value of ours) this.#held.push(value);
      // Not at once: whoever sends is not ready for an answer before `send` has returned.
      queueMicrotask(() => this.#deliver());
    }
    if (close) void this.close();
    return wait;
  }

  onMessage(listener: (value: unknown) => void): void {
    this.#listener = listener;
    this.#inner.onMessage((value) => this.receive(value));
  }

  onFault(listener: (fault: TransportFault) => void): void {
    this.#inner.onFault(listener);
  }

  onClose(listener: (reason: CloseReason) => void): void {
    this.#closeListener = listener;
    this.#inner.onClose((reason) => {
      this.#stopTimers();
      this.#closeReason = reason;
      this.#deliver();
    });
  }

  pause(): void {
    this.#isPaused = true;
    this.#inner.pause();
  }

  resume(): void {
    this.#isPaused = false;
    // Not at once: as with every transport, delivery goes on after `resume` has returned.
    if (this.#isHolding) queueMicrotask(() => this.#goOn());
    else if (!this.#isReading) this.#inner.resume();
  }

  close(): Promise<void> {
    this.#stopTimers();
    return this.#inner.close();
  }

  receive(value: unknown): void {
    const outcome = this.#read(value);
    const { toUs: ours, toPeer: theirs, later, wait } = outcome;
    if (wait) return this.#waitFor(wait);
    const isPlain = ours.length === 1 && theirs.length === 0 && later === undefined;
    // The hot path: nearly every message becomes one message, and our side is ready for it.
    if (isPlain && this.#listener && !this.#isPaused && !this.#isHolding) this.#listener(ours[0]);
    else this.#carryOut(outcome);
  }

  /** What was read, or a timer's doing: our side gets its part at once, for it is in wire order. */
  #carryOut({ toUs: ours, toPeer: theirs, later }: Outcome): void {
    for (const message of theirs) this.#answer(message);
    if (later) this.#schedule(later);
    for (const value of ours) this.#held.push(value);
    this.#deliver();
  }

  #waitFor(wait: Promise<Outcome>): void {
    this.#isReading = true;
    this.#inner.pause();
    void wait.then((outcome) => {
      this.#isReading = false;
      this.#carryOut(outcome);
      if (!this.#isPaused) this.#inner.resume();
    });
  }

  #goOn(): void {
    this.#deliver();
    if (!this.#isPaused && !this.#isReading) this.#inner.resume();
  }

  #answer(message: Message): void {
    try {
      void this.#inner.send(message);
    } catch (error) {
      note(this.#state, undefined, `An answer could not be sent: ${String(error)}`);
    }
  }

  #schedule({ afterMs, run }: Later): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#carryOut(run());
    }, afterMs);
    this.#timers.add(timer);
  }

  get #isHolding(): boolean {
    return this.#next < this.#held.length;
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Hands over what is held, in order, until our side pauses; the end of the wire comes after the last of it. */
  #deliver(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      while (this.#isHolding && !this.#isPaused && this.#listener) this.#listener(this.#held[this.#next++]);
    } finally {
      this.#isDelivering = false;
    }
    if (this.#isHolding) return;
    this.#held.length = 0;
    this.#next = 0;
    if (!this.#closeReason) return;
    const reason = this.#closeReason;
    const listener = this.#closeListener;
    this.#closeListener = undefined;
    listener?.(reason);
  }

  /** Whatever a peer invents, a fault in translating one message must not end the connection: it passes as it came. */
  #read(value: unknown): Outcome {
    try {
      return readMessage(value, this.#state);
    } catch (error) {
      note(this.#state, undefined, `A message could not be read: ${String(error)}`);
      return toUs(value);
    }
  }

  #write(message: Message): Outcome {
    try {
      return writeMessage(message, this.#state);
    } catch (error) {
      note(this.#state, undefined, `A message could not be written: ${String(error)}`);
      return toPeer(message);
    }
  }
}
