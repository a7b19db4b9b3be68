export interface BackoffOptions {
  /** The bound of the pause after the first failure. It doubles with each further failure. */
  readonly firstMs: number;
  /** The bound never exceeds this. Default: no limit. */
  readonly maxMs?: number;
  /** The least and the greatest share of the bound that a pause takes; many callers then spread out. Default: the bound itself. */
  readonly spread?: readonly [least: number, greatest: number];
  /** From 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

const WHOLE = [1, 1] as const;

/** The pause after this many failures in a row, 1 or more. */
export function backoffMs(failures: number, options: BackoffOptions): number {
  const { firstMs, maxMs = Number.POSITIVE_INFINITY, spread = WHOLE, random = Math.random } = options;
  const [least, greatest] = spread;
  const share = least === greatest ? least : least + (greatest - least) * random();
  return Math.min(maxMs, firstMs * 2 ** (failures - 1)) * share;
}

/** Counts failures in a row, for pauses that double. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** The pause after one more failure. */
  next(): number {
    this.#failures += 1;
    return backoffMs(this.#failures, this.#options);
  }

  /** Pauses after one more failure. Ends early when the signal aborts. */
  pause(signal: AbortSignal): Promise<void> {
    return pause(this.next(), signal);
  }

  /** An attempt succeeded: the next pause is the first again. */
  reset(): void {
    this.#failures = 0;
  }
}

/** Waits; ends early, without an error, when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
