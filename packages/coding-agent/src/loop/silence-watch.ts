/** How many times in one stretch of silence it is looked whether something came. */
const LOOKS = 4;

export interface SilenceWatchOptions {
  /** After how much silence it is told, and then whenever it has doubled. */
  readonly silenceMs: number;
  readonly onSilence: (silentMs: number) => void;
}

/** Notices that nothing comes. To hear something costs a number. */
export class SilenceWatch implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #heard = 0;
  #seen = 0;
  #looks = 0;
  #nextAt = LOOKS;
  #isExpected = true;

  constructor({ silenceMs, onSilence }: SilenceWatchOptions) {
    this.#timer = setInterval(() => this.#look(silenceMs, onSilence), silenceMs / LOOKS);
    this.#timer.unref();
  }

  heard(): void {
    this.#heard++;
    this.#isExpected = true;
  }

  /** Silence until something is heard again is no news. */
  expectNothing(): void {
    this.#isExpected = false;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(silenceMs: number, onSilence: SilenceWatchOptions['onSilence']): void {
    if (this.#heard !== this.#seen || !this.#isExpected) {
      this.#seen = this.#heard;
      this.#looks = 0;
      this.#nextAt = LOOKS;
      return;
    }
    if (++this.#looks < this.#nextAt) return;
    this.#nextAt *= 2;
    onSilence((this.#looks * silenceMs) / LOOKS);
  }
}
