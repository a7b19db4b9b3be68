import type { StoreLimits } from './limits.ts';
import type { Backend, SessionKey } from './operations.ts';
import { type Published, Tail } from './tail.ts';

/** Who follows which session. A session has a tail only while someone follows it. */
export class Followers {
  readonly #followed = new Map<string, { readonly tail: Tail; count: number }>();
  readonly #backend: Backend;
  readonly #limits: StoreLimits;
  #stopWatching: (() => void) | undefined;

  constructor(backend: Backend, limits: StoreLimits) {
    this.#backend = backend;
    this.#limits = limits;
  }

  join(session: SessionKey): Tail {
    const key = keyOf(session);
    const followed = this.#followed.get(key) ?? { tail: new Tail(this.#limits), count: 0 };
    followed.count++;
    this.#followed.set(key, followed);
    this.#stopWatching ??= this.#backend.watch(() => this.wakeAll());
    return followed.tail;
  }

  leave(session: SessionKey): void {
    const key = keyOf(session);
    const followed = this.#followed.get(key);
    if (!followed || --followed.count > 0) return;
    this.#followed.delete(key);
    if (this.#followed.size > 0) return;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  /** Hands committed events to those who follow; they are made only when somebody does. */
  publish(session: SessionKey, makeEvents: () => readonly Published[]): void {
    this.#followed.get(keyOf(session))?.tail.publish(makeEvents());
  }

  wake(session: SessionKey): void {
    this.#followed.get(keyOf(session))?.tail.wake();
  }

  wakeAll(): void {
    for (const { tail } of this.#followed.values()) tail.wake();
  }
}

function keyOf({ principal, sessionId }: SessionKey): string {
  return `${principal}\0${sessionId}`;
}
