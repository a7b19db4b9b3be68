/** What a frame scheduler needs of the output. */
export interface FrameOutput {
  /** True while earlier frames still wait to be read. */
  readonly isBusy: () => boolean;
  /** Calls back once it is no longer busy. */
  readonly onceFree: (callback: () => void) => void;
}

/** About thirty frames a second: text streams smoothly, and a busy agent costs no more than a chatty one. */
const FRAME_MS = 33;

/**
 * Draws soon after something changed, and not more often than a person can see. When nothing changes nothing runs, and
 * while a slow terminal still reads the last frame no further one is made.
 */
export class Frames {
  readonly #draw: () => void;
  readonly #output: FrameOutput;
  #timer: NodeJS.Timeout | undefined;
  #lastAt = 0;
  #isWaiting = false;
  #isStopped = false;

  constructor(draw: () => void, output: FrameOutput) {
    this.#draw = draw;
    this.#output = output;
  }

  request(): void {
    if (this.#timer || this.#isWaiting || this.#isStopped) return;
    const passed = performance.now() - this.#lastAt;
    this.#timer = setTimeout(() => this.#frame(), Math.max(0, FRAME_MS - passed));
  }

  /** Draws at once, for what a person typed. */
  drawNow(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#frame();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #frame(): void {
    this.#timer = undefined;
    if (this.#output.isBusy()) {
      if (this.#isWaiting) return;
      this.#isWaiting = true;
      this.#output.onceFree(() => {
        this.#isWaiting = false;
        this.request();
      });
      return;
    }
    this.#lastAt = performance.now();
    this.#draw();
  }
}
