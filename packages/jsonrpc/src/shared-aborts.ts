type OnAbort = (reason: unknown) => void;

/**
 * One listener per signal, whatever the number of those who wait for it: thousands of requests may share one signal, and
 * runtimes take many listeners on it for a leak.
 */
export class SharedAborts {
  readonly #waiting = new Map<AbortSignal, Set<OnAbort>>();

  /** Calls `onAbort` when the signal aborts. Returns how to stop waiting for that. */
  add(signal: AbortSignal, onAbort: OnAbort): () => void {
    const waiting = this.#waiting.get(signal) ?? this.#listen(signal);
    waiting.add(onAbort);
    return () => {
      waiting.delete(onAbort);
      if (waiting.size === 0) this.#forget(signal);
    };
  }

  #listen(signal: AbortSignal): Set<OnAbort> {
    const waiting = new Set<OnAbort>();
    this.#waiting.set(signal, waiting);
    signal.addEventListener('abort', this.#onAbort);
    return waiting;
  }

  #forget(signal: AbortSignal): void {
    this.#waiting.delete(signal);
    signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (event: { readonly target: AbortSignal }): void => {
    for (const onAbort of [...(this.#waiting.get(event.target) ?? [])]) onAbort(event.target.reason);
  };
}
