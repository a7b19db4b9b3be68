import type { CloseReason, Transport, TransportFault } from '@parley/jsonrpc';

/** One thing that a transport has delivered. */
export type Delivery =
  | { readonly kind: 'message'; readonly value: unknown }
  | { readonly kind: 'fault'; readonly fault: TransportFault }
  | { readonly kind: 'close'; readonly reason: CloseReason };

/** Listens to a transport and keeps everything that it delivers, in order. */
export class Recorder {
  readonly deliveries: Delivery[] = [];
  readonly values: unknown[] = [];
  readonly faults: TransportFault[] = [];
  readonly closes: CloseReason[] = [];
  readonly #transport: Transport;
  #isDone: (() => boolean) | undefined;
  #finish: (() => void) | undefined;

  constructor(transport: Transport, onMessage?: (value: unknown) => void) {
    this.#transport = transport;
    transport.onFault((fault) => this.#add({ kind: 'fault', fault }));
    transport.onClose((reason) => this.#add({ kind: 'close', reason }));
    transport.onMessage((value) => {
      onMessage?.(value);
      this.#add({ kind: 'message', value });
    });
  }

  /** Resolves when that many messages have arrived. */
  messages(count: number): Promise<void> {
    return this.until(() => this.values.length >= count);
  }

  closed(): Promise<void> {
    return this.until(() => this.closes.length > 0);
  }

  until(isDone: () => boolean): Promise<void> {
    if (isDone()) return Promise.resolve();
    this.#isDone = isDone;
    return new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Passes `pause` and `resume` on, so that a test needs only one handle. */
  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  #add(delivery: Delivery): void {
    this.deliveries.push(delivery);
    if (delivery.kind === 'message') this.values.push(delivery.value);
    else if (delivery.kind === 'fault') this.faults.push(delivery.fault);
    else this.closes.push(delivery.reason);
    if (this.#isDone?.()) {
      this.#isDone = undefined;
      this.#finish?.();
    }
  }
}
