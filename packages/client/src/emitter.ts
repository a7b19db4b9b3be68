/** Calls the listeners of named events. A listener that throws does not keep the others from hearing. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void>>();

  /** Returns a function that ends it. */
  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    const listeners = this.#listeners.get(name);
    if (!listeners || listeners.size === 0) return;
    for (const listener of [...listeners]) callSafely(listener as (value: Events[Name]) => void, value);
  }

  has(name: keyof Events): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0;
  }
}

/** A listener's mistake is reported as uncaught, in a turn of its own, instead of breaking the connection. */
function callSafely<Value>(listener: (value: Value) => void, value: Value): void {
  try {
    listener(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
