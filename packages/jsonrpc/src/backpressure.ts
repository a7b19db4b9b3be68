import { leastJsonLength } from './json-length.ts';
import type { Message } from './message.ts';
import type { Transport } from './transport.ts';

export interface BackpressureOptions {
  readonly transport: Transport;
  /** Answers that may wait for a peer that does not read them. */
  readonly maxUnsentBytes: number;
  /** Whether we wait for an answer that only reading can bring. */
  readonly mustRead: () => boolean;
}

/** How many marks lie in a full queue of answers: after so much of it has left, we know. */
const MARKS = 8;

/**
 * Stops reading while the peer has too much of us to do already: too many of its requests run, or too many answers wait
 * that it does not read. Reading never stops while we wait for an answer ourselves. So two peers that use this cannot
 * both stop: the answers that one of them cannot send are answers that the other waits for. That is why answers are
 * counted, and not all that is unsent.
 */
export class Backpressure {
  readonly #options: BackpressureOptions;
  #isBusy = false;
  /** Held up by whoever uses the connection, who must know what we wait for. */
  #isHeld = false;
  #isPaused = false;
  #unsentBytes = 0;
  /** Of the unsent bytes, those behind the last mark. */
  #unmarkedBytes = 0;

  constructor(options: BackpressureOptions) {
    this.#options = options;
  }

  /** True when no further answer should be made. */
  get isOverLimit(): boolean {
    return this.#unsentBytes > this.#options.maxUnsentBytes;
  }

  /** Whether as many requests run as may. */
  setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.update();
  }

  pause(): void {
    this.#isHeld = true;
    this.update();
  }

  resume(): void {
    this.#isHeld = false;
    this.update();
  }

  /** Counts an answer to a peer that reads too slowly, which `wait` has told. */
  hold(answer: Message, wait: Promise<void>): void {
    const { transport, maxUnsentBytes } = this.#options;
    const bytes = leastJsonLength(answer);
    this.#unsentBytes += bytes;
    this.#unmarkedBytes += bytes;
    if (this.#unmarkedBytes < maxUnsentBytes / MARKS) return;
    const marked = this.#unmarkedBytes;
    this.#unmarkedBytes = 0;
    void (transport.whenSent?.() ?? wait).then(() => {
      this.#unsentBytes -= marked;
      this.update();
    });
    this.update();
  }

  /** Stops or goes on, as things are now. */
  update(): void {
    const mayPause = this.#isBusy || this.isOverLimit;
    if (!mayPause && !this.#isPaused && !this.#isHeld) return;
    const shouldPause = this.#isHeld || (mayPause && !this.#options.mustRead());
    if (shouldPause === this.#isPaused) return;
    this.#isPaused = shouldPause;
    if (shouldPause) this.#options.transport.pause();
    else this.#options.transport.resume();
  }
}
