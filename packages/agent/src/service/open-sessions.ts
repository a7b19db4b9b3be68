import { RpcError } from '@parley/jsonrpc';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { LiveSession } from '../session/live-session.ts';

/** The sessions that one client has open, no more than its limit. */
export class OpenSessions {
  readonly #peer: ClientPeer;
  readonly #limit: number;
  readonly #sessions = new Map<string, LiveSession>();
  #opening = 0;

  constructor(peer: ClientPeer, limit: number) {
    this.#peer = peer;
    this.#limit = limit;
  }

  find(sessionId: string): LiveSession | undefined {
    const session = this.#sessions.get(sessionId);
    if (!session || !this.#hasOpen(session)) return undefined;
    // Whoever speaks of a session has heard that it is open.
    session.viewers.welcome(this.#peer);
    return session;
  }

  add(session: LiveSession): void {
    this.#sessions.set(session.id, session);
  }

  remove(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  /** Gives them all away. */
  removeAll(): readonly LiveSession[] {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    return sessions;
  }

  /** Counts what is being opened too, so that many at once stay within the limit. */
  async open(sessionId: string | undefined, open: () => Promise<LiveSession>): Promise<LiveSession> {
    if (sessionId === undefined || !this.find(sessionId)) this.#requireRoom();
    this.#opening += 1;
    try {
      return await open();
    } finally {
      this.#opening -= 1;
    }
  }

  /** Others may have closed it, and a load that was withdrawn half way leaves it closed for this client. */
  #hasOpen(session: LiveSession): boolean {
    return !session.isClosed && session.viewers.has(this.#peer);
  }

  #requireRoom(): void {
    if (this.#sessions.size + this.#opening < this.#limit) return;
    for (const session of this.#sessions.values()) if (!this.#hasOpen(session)) this.#sessions.delete(session.id);
    if (this.#sessions.size + this.#opening < this.#limit) return;
    throw RpcError.invalidRequest(`At most ${this.#limit} sessions may be open on a connection; close one first.`);
  }
}
