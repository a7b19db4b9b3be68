import { Backoff, type BackoffOptions } from '@parley/jsonrpc/internal';
import { inBackground } from '../backend/clock.ts';
import type { Backend, SessionHead, SessionKey } from '../backend/operations.ts';
import type { StoreLimits } from '../contract/limits.ts';
import { type Published, Tail } from './tail.ts';

type OnAppended = (head: number) => void;

/** A session that somebody follows or watches. */
interface Followed {
  readonly session: SessionKey;
  /** The head that was last heard of; null once the session is gone. */
  head: SessionHead | null | undefined;
  /** Only while there are followers. */
  tail: Tail | undefined;
  followers: number;
  readonly watchers: Set<OnAppended>;
}

/** The pauses after a fault of a question that nobody waits for. A file that cannot be opened costs a thread with every question. */
export const FOLLOW_BACKOFF: BackoffOptions = { firstMs: 100, maxMs: 5000 };

/** Who follows or watches which session. */
export class Followers {
  readonly #followed = new Map<string, Followed>();
  readonly #backend: Backend;
  readonly #limits: StoreLimits;
  #stopWatching: (() => void) | undefined;
  #retrying: ReturnType<typeof setTimeout> | undefined;
  readonly #pause = new Backoff(FOLLOW_BACKOFF);
  #isClosed = false;

  constructor(backend: Backend, limits: StoreLimits) {
    this.#backend = backend;
    this.#limits = limits;
  }

  join(session: SessionKey): Tail {
    const followed = this.#add(session);
    followed.followers++;
    followed.tail ??= new Tail(this.#limits);
    return followed.tail;
  }

  leave(session: SessionKey): void {
    const followed = this.#followed.get(keyOf(session));
    if (!followed || --followed.followers > 0) return;
    followed.tail = undefined;
    this.#removeUnused(followed);
  }

  /** Returns how to stop. */
  watch(session: SessionKey, onAppended: OnAppended): () => void {
    const followed = this.#add(session);
    // One function may watch twice, and stop once.
    const tell: OnAppended = (head) => onAppended(head);
    followed.watchers.add(tell);
    return () => {
      if (followed.watchers.delete(tell)) this.#removeUnused(followed);
    };
  }

  /** Hands committed events to those who follow; they are made only when somebody does. */
  publish(session: SessionKey, head: SessionHead, makeEvents: () => readonly Published[]): void {
    const followed = this.#followed.get(keyOf(session));
    if (!followed) return;
    followed.tail?.publish(head.num, makeEvents());
    tellWatchers(followed, head);
  }

  /** Tells those who watch a session that begins with events. */
  tellAppended(session: SessionKey, head: SessionHead): void {
    const followed = this.#followed.get(keyOf(session));
    if (followed) tellWatchers(followed, head);
  }

  wake(session: SessionKey): void {
    this.#followed.get(keyOf(session))?.tail?.look();
  }

  /** Lets all followers find out that the store is closed. One that nobody asks for events must not hold the process up. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
    this.#wakeAll();
  }

  #add(session: SessionKey): Followed {
    const key = keyOf(session);
    let followed = this.#followed.get(key);
    if (!followed) {
      followed = { session, head: undefined, tail: undefined, followers: 0, watchers: new Set() };
      this.#followed.set(key, followed);
    }
    if (!this.#isClosed) this.#stopWatching ??= this.#backend.watch((sessions) => void this.#wakeChanged(sessions));
    return followed;
  }

  #removeUnused(followed: Followed): void {
    if (followed.followers > 0 || followed.watchers.size > 0) return;
    const key = keyOf(followed.session);
    if (this.#followed.get(key) === followed) this.#followed.delete(key);
    if (this.#followed.size === 0) this.#stop();
  }

  #stop(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    clearTimeout(this.#retrying);
    this.#retrying = undefined;
  }

  #wakeAll(): void {
    for (const { tail } of this.#followed.values()) tail?.look();
  }

  /**
   * Someone else has written: one question tells where, so that the followers of a thousand sessions need not all look. Where
   * the backend knows the sessions, only those are asked for.
   */
  async #wakeChanged(sessions?: readonly SessionKey[]): Promise<void> {
    const followed = sessions ? this.#find(sessions) : [...this.#followed.values()];
    if (followed.length === 0) return;
    try {
      const heads = await this.#backend.call('heads', { sessions: followed.map(({ session }) => session) });
      this.#pause.reset();
      for (const [index, each] of followed.entries()) {
        const head = heads[index] ?? null;
        if (each.head !== undefined && isSame(head, each.head)) continue;
        each.tail?.look();
        if (head) tellWatchers(each, head);
        else each.head = null;
      }
    } catch {
      // Followers get the error from their own reading; watchers do not read, so the heads are asked for again.
      this.#wakeAll();
      if (this.#stopWatching) this.#retrying ??= inBackground(setTimeout(() => this.#retry(), this.#pause.next()));
    }
  }

  #retry(): void {
    this.#retrying = undefined;
    void this.#wakeChanged();
  }

  #find(sessions: readonly SessionKey[]): Followed[] {
    return sessions.flatMap((session) => this.#followed.get(keyOf(session)) ?? []);
  }
}

/** Answers may overtake each other, so that an older head than the last one is no news. */
function tellWatchers(followed: Followed, head: SessionHead): void {
  const { head: known, watchers } = followed;
  if (known?.num === head.num && known.head >= head.head) return;
  followed.head = head;
  if (head.head === 0) return;
  for (const tell of watchers) {
    try {
      tell(head.head);
    } catch (error) {
      // The append has succeeded: a listener's error is not for the caller that waits for it.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

function isSame(left: SessionHead | null, right: SessionHead | null): boolean {
  return left?.num === right?.num && left?.head === right?.head;
}

function keyOf({ principal, sessionId }: SessionKey): string {
  return `${principal}\0${sessionId}`;
}
