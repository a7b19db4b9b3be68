import type { StoreLimits } from './limits.ts';
import type { Backend, SessionHead, SessionKey } from './operations.ts';
import { type Published, Tail } from './tail.ts';

interface Followed {
  readonly session: SessionKey;
  readonly tail: Tail;
  count: number;
  /** The head when we last asked; null once the session is gone. */
  head: SessionHead | null | undefined;
}

/** Who follows which session. A session has a tail only while someone follows it. */
export class Followers {
  readonly #followed = new Map<string, Followed>();
  readonly #backend: Backend;
  readonly #limits: StoreLimits;
  #stopWatching: (() => void) | undefined;
  #isClosed = false;

  constructor(backend: Backend, limits: StoreLimits) {
    this.#backend = backend;
    this.#limits = limits;
  }

  join(session: SessionKey): Tail {
    const key = keyOf(session);
    const followed = this.#followed.get(key) ?? { session, tail: new Tail(this.#limits), count: 0, head: undefined };
    followed.count++;
    this.#followed.set(key, followed);
    if (!this.#isClosed) this.#stopWatching ??= this.#backend.watch(() => void this.#wakeChanged());
    return followed.tail;
  }

  leave(session: SessionKey): void {
    const key = keyOf(session);
    const followed = this.#followed.get(key);
    if (!followed || --followed.count > 0) return;
    this.#followed.delete(key);
    if (this.#followed.size === 0) this.#stop();
  }

  /** Hands committed events to those who follow; they are made only when somebody does. */
  publish(session: SessionKey, num: number, makeEvents: () => readonly Published[]): void {
    this.#followed.get(keyOf(session))?.tail.publish(num, makeEvents());
  }

  wake(session: SessionKey): void {
    this.#followed.get(keyOf(session))?.tail.look();
  }

  /** Lets all followers find out that the store is closed. One that nobody asks for events must not hold the process up. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
    this.#wakeAll();
  }

  #stop(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #wakeAll(): void {
    for (const { tail } of this.#followed.values()) tail.look();
  }

  /** Someone else has written, somewhere: one question tells where, so that the followers of a thousand sessions need not all look. */
  async #wakeChanged(): Promise<void> {
    const followed = [...this.#followed.values()];
    try {
      const heads = await this.#backend.call('heads', { sessions: followed.map(({ session }) => session) });
      for (const [index, each] of followed.entries()) {
        const head = heads[index] ?? null;
        if (each.head !== undefined && head?.num === each.head?.num && head?.head === each.head?.head) continue;
        each.head = head;
        each.tail.look();
      }
    } catch {
      // Those who are woken meet the fault themselves when they read.
      this.#wakeAll();
    }
  }
}

function keyOf({ principal, sessionId }: SessionKey): string {
  return `${principal}\0${sessionId}`;
}
