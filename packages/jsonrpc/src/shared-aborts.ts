type OnAbort = (reason: unknown) => void;

interface Watched {
  readonly waiting: Set<OnAbort>;
  readonly listener: () => void;
}

/**
 * One listener per signal, whatever the number of those who wait for it: thousands of requests may share one signal, and
 * runtimes take many listeners on it for a leak.
 */
export class SharedAborts {
  readonly #watched = new Map<AbortSignal, Watched>();

  /** Calls `onAbort` when the signal aborts. Returns how to stop waiting for that. */
  add(signal: AbortSignal, onAbort: OnAbort): () => void {
    const { waiting } = this.#watched.get(signal) ?? this.#watch(signal);
    waiting.add(onAbort);
    return () => {
      if (waiting.delete(onAbort) && waiting.size === 0) this.#forget(signal);
    };
  }

  #watch(signal: AbortSignal): Watched {
    const waiting = new Set<OnAbort>();
    const listener = (): void => {
      for (const onAbort of [...waiting]) onAbort(signal.reason);
    };
    const watched = { waiting, listener };
    this.#watched.set(signal, watched);
    signal.addEventListener('abort', listener);
    return watched;
  }

  #forget(signal: AbortSignal): void {
    const watched = this.#watched.get(signal);
    this.#watched.delete(signal);
    if (watched) signal.removeEventListener('abort', watched.listener);
  }
}
