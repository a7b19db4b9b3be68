import { Backoff } from '@parley/jsonrpc/internal';
import type { SessionEvent } from '@parley/session';
import { isFinal, LOG_BACKOFF } from '@parley/session/log';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { AgentDiagnostic } from '../diagnostics.ts';
import type { AgentLimits } from '../limits.ts';
import { createDeferred, type Deferred } from '../promises.ts';
import { NOBODY } from './nobody.ts';
import { Viewer } from './viewer.ts';

export interface ViewersOptions {
  readonly sessionId: string;
  readonly limits: AgentLimits;
  /** The place in the log right behind what is being shown, or was shown last. Must not reject. */
  readonly place: () => number | Promise<number>;
  /** Tells a viewer from the log what it has not seen, until it sees everything at once. */
  readonly catchUp: (viewer: Viewer) => Promise<void>;
  /** Called when the first client begins to see what happens, and when the last one has left. */
  readonly onWatched: (isWatched: boolean) => void;
  /** Called when a client has the session no longer open. */
  readonly onGone: (peer: ClientPeer) => void;
  /** Whether a session goes on only as fast as the client reads whose prompt runs, or the only one; else all may be behind. */
  readonly isWaitedFor: boolean;
  readonly report: (diagnostic: AgentDiagnostic) => void;
}

/**
 * The clients that have one session open. All of them see the same events in the same order, each as fast as it reads: the
 * client whose prompt runs sets the pace of the turn, and a slower one reads from the log.
 */
export class Viewers {
  readonly #options: ViewersOptions;
  readonly #viewers = new Map<ClientPeer, Viewer>();
  #leader: ClientPeer | undefined;
  #isWatched = false;
  /** Pending while the only viewer reads too slowly. */
  #pace: Promise<void> | undefined;
  /** Resolves when somebody joins or leaves; there while somebody waits for it. */
  #joinedOrLeft: Deferred | undefined;

  constructor(options: ViewersOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#viewers.size;
  }

  /** The clients that know of the session, in the order in which they came. */
  get peers(): ClientPeer[] {
    return [...this.#viewers.values()].filter(({ isOpening }) => !isOpening).map(({ peer }) => peer);
  }

  /** The client that asked for something, while it has the session open; then any other that has. */
  peerFor(asker: ClientPeer | undefined): ClientPeer {
    return asker && this.has(asker) ? asker : (this.peers[0] ?? NOBODY);
  }

  has(peer: ClientPeer): boolean {
    return this.#viewers.has(peer);
  }

  /** Adds a viewer that sees nothing until `welcome`: it does not know of the session yet. */
  addOpening(peer: ClientPeer): void {
    const viewer = this.#createViewer(peer);
    this.#fallBehind(viewer, 'opening');
    this.#put(viewer);
  }

  /** Shows a viewer that has learnt of the session what was said before that; true when commands were among it. */
  welcome(peer: ClientPeer): boolean {
    const viewer = this.#viewers.get(peer);
    if (!viewer?.isOpening) return viewer?.knowsCommands ?? false;
    this.#bringUp(viewer);
    this.#look();
    return viewer.knowsCommands;
  }

  /** Adds a viewer that must be shown the past first; it replaces the one that this client had before. */
  addBehind(peer: ClientPeer): Viewer {
    const viewer = this.#createViewer(peer);
    viewer.hold();
    this.#put(viewer);
    return viewer;
  }

  remove(peer: ClientPeer): void {
    const viewer = this.#viewers.get(peer);
    if (!viewer) return;
    this.#viewers.delete(peer);
    viewer.close();
    peer.forget(this.#options.sessionId);
    this.#options.onGone(peer);
    this.#look();
  }

  removeAll(): void {
    for (const peer of [...this.#viewers.keys()]) this.remove(peer);
  }

  /** Makes a client the one that is waited for, until its turn has ended. */
  lead(peer: ClientPeer | undefined): void {
    if (this.#options.isWaitedFor) this.#leader = peer;
  }

  /** Pending while a client is behind; resolves when it has seen everything, or has left. */
  whenLevel(peer: ClientPeer): Promise<void> | undefined {
    return this.#viewers.get(peer)?.level?.then(() => this.whenLevel(peer));
  }

  /** Returns a promise only when the caller should wait: the viewer whose prompt runs, or the only viewer, reads too slowly. */
  show(event: SessionEvent, seq?: number, hides?: (peer: ClientPeer) => boolean): void | Promise<void> {
    let slow: Promise<void> | undefined;
    for (const viewer of this.#viewers.values()) {
      if (hides?.(viewer.peer)) continue;
      const room = viewer.show(event, seq);
      if (viewer.peer === this.#leader) slow = room ?? undefined;
      else if (room || viewer.room) {
        const pace = this.#showLater(viewer, room ?? undefined);
        slow ??= pace;
      }
    }
    return slow;
  }

  /** A viewer that does not read: events wait for it, and the session waits for the viewer only when it is the only one. */
  #showLater(viewer: Viewer, room: Promise<void> | undefined): Promise<void> | undefined {
    if (room) {
      this.#fallBehind(viewer);
      viewer.room = room.then(() => {
        viewer.room = undefined;
        this.#bringUp(viewer);
      });
    }
    if (viewer.isFarBehind && !viewer.isReported) {
      viewer.isReported = true;
      const { sessionId, report } = this.#options;
      const message =
        'A client reads more slowly than its session goes on; it is told from the log when it reads again.';
      report({ kind: 'viewer_behind', message, sessionId });
    }
    if (!this.#options.isWaitedFor || this.#leader || this.#viewers.size > 1 || !viewer.room) return undefined;
    this.#pace ??= this.#paceOf(viewer.room);
    return this.#pace;
  }

  /** The session waits for the only viewer, until another one joins. */
  #paceOf(room: Promise<void>): Promise<void> {
    this.#joinedOrLeft ??= createDeferred();
    return Promise.race([room, this.#joinedOrLeft.promise]).finally(() => {
      this.#pace = undefined;
    });
  }

  #fallBehind(viewer: Viewer, name?: 'opening'): void {
    viewer.hold(name);
    viewer.seen = this.#options.place();
  }

  #bringUp(viewer: Viewer): void {
    if (!viewer.signal.aborted && !viewer.release()) void this.#catchUp(viewer);
  }

  async #catchUp(viewer: Viewer): Promise<void> {
    const { catchUp, report, sessionId } = this.#options;
    let backoff: Backoff | undefined;
    while (!viewer.signal.aborted) {
      try {
        return await catchUp(viewer);
      } catch (error) {
        if (viewer.signal.aborted) return;
        // Its next request gets the error that there is no such session.
        if (isFinal(error)) return this.remove(viewer.peer);
        if (!backoff)
          report({ kind: 'log_failed', message: 'A client could not be told what it has missed.', error, sessionId });
        backoff ??= new Backoff(LOG_BACKOFF);
        await backoff.pause(viewer.signal);
      }
    }
  }

  #createViewer(peer: ClientPeer): Viewer {
    const { sessionId, limits } = this.#options;
    return new Viewer({ peer, sessionId, limits });
  }

  #put(viewer: Viewer): void {
    this.#viewers.get(viewer.peer)?.close();
    this.#viewers.set(viewer.peer, viewer);
    this.#look();
  }

  /** Somebody has joined or left, or sees now what happens. */
  #look(): void {
    this.#joinedOrLeft?.resolve();
    this.#joinedOrLeft = undefined;
    const isWatched = [...this.#viewers.values()].some(({ isOpening }) => !isOpening);
    if (isWatched === this.#isWatched) return;
    this.#isWatched = isWatched;
    this.#options.onWatched(isWatched);
  }
}
