import type { StoreLimits } from './limits.ts';
import type { Backend, SessionKey } from './operations.ts';
import { type Published, Tail } from './tail.ts';

interface Followed {
  readonly session: SessionKey;
  readonly tail: Tail;
  count: number;
  /** The last sequence number when we last asked; null once the session is gone. */
  head: number | null | undefined;
}

/** Who follows which session. A session has a tail only while someone follows it. */
export class Followers {
  readonly #followed = new Map<string, Followed>();
  readonly #backend: Backend;
  readonly #limits: StoreLimits;
  #stopWatching: (() => void) | undefined;

  constructor(backend: Backend, limits: StoreLimits) {
    this.#backend = backend;
    this.#limits = limits;
  }

  join(session: SessionKey): Tail {
    const key = keyOf(session);
    const followed = this.#followed.get(key) ?? { session, tail: new Tail(this.#limits), count: 0, head: undefined };
    followed.count++;
    this.#followed.set(key, followed);
    this.#stopWatching ??= this.#backend.watch(() => void this.#wakeChanged());
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

  /** Someone else has written, somewhere: one question tells where, so that the followers of a thousand sessions need not all look. */
  async #wakeChanged(): Promise<void> {
    const followed = [...this.#followed.values()];
    try {
      const heads = await this.#backend.call('heads', { sessions: followed.map(({ session }) => session) });
      for (const [index, each] of followed.entries()) {
        const head = heads[index] ?? null;
        if (head === each.head) continue;
        each.head = head;
        each.tail.wake();
      }
    } catch {
      // Those who are woken meet the fault themselves when they read.
      this.wakeAll();
    }
  }
}

function keyOf({ principal, sessionId }: SessionKey): string {
  return `${principal}\0${sessionId}`;
}
