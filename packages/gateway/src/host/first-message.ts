import type { CloseReason, Transport, TransportFault } from '@parley/jsonrpc';

/** A wire of which the first message was read; it is delivered again to whoever is put on the wire. */
export interface OpenedWire {
  /** Undefined where the wire began with something else, or has ended. */
  readonly first: unknown;
  /** Why the wire has ended, where it has before anything came. */
  readonly ended: CloseReason | undefined;
  readonly transport: Transport;
}

/** Reads the first message of a wire, so that it is known what the client offers before its agent is started. */
export function readFirstMessage(wire: Transport): Promise<OpenedWire> {
  return new Promise((resolve) => {
    const transport = new ReplayedTransport(wire, (first, ended) => resolve({ first, ended, transport }));
  });
}

type Arrival = { readonly message: unknown } | { readonly fault: TransportFault };

class ReplayedTransport implements Transport {
  readonly #wire: Transport;
  /** What came first, until it is delivered. */
  #held: Arrival | undefined;
  #closed: CloseReason | undefined;
  #onMessage: ((value: unknown) => void) | undefined;
  #onFault: ((fault: TransportFault) => void) | undefined;
  #onClose: ((reason: CloseReason) => void) | undefined;
  #isPaused = false;

  constructor(wire: Transport, onFirst: (message: unknown, ended?: CloseReason) => void) {
    this.#wire = wire;
    const arrive = (arrival: Arrival): void => {
      if (this.#onMessage) return this.#pass(arrival);
      this.#held = arrival;
      wire.pause();
      onFirst('message' in arrival ? arrival.message : undefined);
    };
    wire.onClose((reason) => {
      this.#closed = reason;
      if (!this.#onMessage) onFirst(undefined, this.#held ? undefined : reason);
      else this.#onClose?.(reason);
    });
    wire.onFault((fault) => arrive({ fault }));
    wire.onMessage((message) => arrive({ message }));
  }

  send(message: Parameters<Transport['send']>[0]): void | Promise<void> {
    return this.#wire.send(message);
  }

  whenSent(): Promise<void> {
    return this.#wire.whenSent?.() ?? Promise.resolve();
  }

  onMessage(listener: (value: unknown) => void): void {
    this.#onMessage = listener;
    queueMicrotask(() => this.#deliver());
  }

  onFault(listener: (fault: TransportFault) => void): void {
    this.#onFault = listener;
  }

  onClose(listener: (reason: CloseReason) => void): void {
    this.#onClose = listener;
  }

  pause(): void {
    this.#isPaused = true;
    this.#wire.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#deliver();
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  /** What came first, then the rest, or the end. */
  #deliver(): void {
    if (this.#isPaused || !this.#onMessage) return;
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#pass(held);
    if (this.#closed) this.#onClose?.(this.#closed);
    else if (!this.#isPaused) this.#wire.resume();
  }

  #pass(arrival: Arrival): void {
    if ('message' in arrival) this.#onMessage?.(arrival.message);
    else this.#onFault?.(arrival.fault);
  }
}
