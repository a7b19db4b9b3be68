import { isFinal } from './log-fault.ts';

/** How often to look: this, or often enough for short leases. */
const INTERVAL_MS = 1000;
const LOOKS_PER_LEASE = 3;

/** A process that is killed says nothing, so that someone must look after it for as long as it works. */
export class Lookout {
  readonly #intervalMs: number;
  readonly #look: () => Promise<unknown>;
  #looking: ReturnType<typeof setTimeout> | undefined;

  constructor({ leaseMs, look }: { readonly leaseMs: number; readonly look: () => Promise<unknown> }) {
    this.#intervalMs = Math.min(INTERVAL_MS, Math.ceil(leaseMs / LOOKS_PER_LEASE));
    this.#look = look;
  }

  /** Looks once, soon; and again if that could not be done. */
  lookLater(): void {
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      this.#look().catch((error: unknown) => {
        if (!isFinal(error)) this.lookLater();
      });
    }, this.#intervalMs);
  }

  stop(): void {
    clearTimeout(this.#looking);
    this.#looking = undefined;
  }
}
