import type { RefusedRequest } from '@parley/transports/listen';
import type { Monitor } from './monitor.ts';

/** Anybody who reaches the port can be refused as often as they like; logs must not be filled by that. */
const MAX_A_SECOND = 10;

/** Tells of requests that were refused: the first of each second one by one, and of the rest how many they were. */
export class RefusalEvents {
  readonly #monitor: Monitor;
  #told = 0;
  #suppressed = 0;
  #last: RefusedRequest | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(monitor: Monitor) {
    this.#monitor = monitor;
  }

  see(refusal: RefusedRequest): void {
    if (!this.#monitor.isHeard) return;
    this.#timer ??= setTimeout(() => this.#nextSecond(), 1000).unref();
    if (this.#told >= MAX_A_SECOND) {
      this.#suppressed += 1;
      this.#last = refusal;
      return;
    }
    this.#told += 1;
    this.#tell(refusal, 0);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#nextSecond();
  }

  #nextSecond(): void {
    const [last, suppressed] = [this.#last, this.#suppressed];
    this.#timer = undefined;
    this.#told = 0;
    this.#suppressed = 0;
    this.#last = undefined;
    // The last stands for those that were left out.
    if (last) this.#tell(last, suppressed - 1);
  }

  #tell(refusal: RefusedRequest, suppressed: number): void {
    this.#monitor.tell({ kind: 'client_refused', ...refusal, suppressed });
  }
}
