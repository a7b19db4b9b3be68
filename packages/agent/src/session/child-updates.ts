import type { SessionEvent } from '@parley/session';
import type { ClientPeer } from '../contract/client-peer.ts';

/** Updates that may wait for a client that does not read; it misses those beyond. */
const MAX_WAITING = 1000;

/** The session that has made others. */
export interface ChildUpdatesSession {
  readonly viewers: { readonly peers: readonly ClientPeer[] };
  /** Pending while something that it said is not shown yet. */
  whenShown(): Promise<void> | undefined;
}

/** What happens in sessions that a session has made, as its clients are told: in order, and behind what the session itself says. */
export class ChildUpdates {
  readonly #session: ChildUpdatesSession;
  readonly #waiting = new Map<ClientPeer, number>();
  #last: Promise<void> = Promise.resolve();
  #queued = 0;

  constructor(session: ChildUpdatesSession) {
    this.#session = session;
  }

  tell(childId: string, event: SessionEvent): void {
    const shown = this.#session.whenShown();
    if (!shown && this.#queued === 0) return this.#publish(childId, event);
    if (this.#queued >= MAX_WAITING) return;
    this.#queued += 1;
    this.#last = this.#last
      .then(() => shown)
      .then(() => {
        this.#queued -= 1;
        this.#publish(childId, event);
      });
  }

  #publish(childId: string, event: SessionEvent): void {
    for (const peer of this.#session.viewers.peers) {
      const waiting = this.#waiting.get(peer) ?? 0;
      const { subagents, nestedSubagents } = peer.offers;
      if (!subagents || nestedSubagents || waiting >= MAX_WAITING) continue;
      const room = peer.publish(childId, event);
      if (!room) continue;
      this.#waiting.set(peer, waiting + 1);
      void room.finally(() => this.#leave(peer));
    }
  }

  #leave(peer: ClientPeer): void {
    const left = (this.#waiting.get(peer) ?? 1) - 1;
    if (left > 0) this.#waiting.set(peer, left);
    else this.#waiting.delete(peer);
  }
}
