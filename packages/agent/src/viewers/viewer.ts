import type { SessionEvent } from '@parley/session';
import type { AgentLimits } from '../limits.ts';
import { createDeferred, type Deferred } from '../log/deferred.ts';
import type { ClientPeer } from '../peer/client-peer.ts';
import { sessionNotFound } from '../refusals.ts';
import { Backlog } from './backlog.ts';

export interface ViewerOptions {
  readonly peer: ClientPeer;
  readonly sessionId: string;
  readonly limits: AgentLimits;
}

/**
 * One client that has a session open. It sees what happens at once, unless it is behind: it does not know yet that it has
 * the session open, it is being told the past, or it reads too slowly. What happens then waits for it.
 */
export class Viewer {
  readonly peer: ClientPeer;
  readonly #options: ViewerOptions;
  readonly #left = new AbortController();
  #backlog: Backlog | undefined;
  #level: Deferred | undefined;
  /** Waits for the answer to its opening of the session. */
  isOpening = false;
  /** Was told of commands when it had opened the session. */
  knowsCommands = false;
  /** The place in the log up to which it has seen everything; of meaning only while it is behind. */
  seen: number | Promise<number> = 0;
  /** Pending while its wire takes no more. */
  room: Promise<void> | undefined;
  /** It was reported that it cannot keep up. */
  isReported = false;

  constructor(options: ViewerOptions) {
    this.peer = options.peer;
    this.#options = options;
  }

  /** Aborts when the client has the session no longer open, or opens it anew. */
  get signal(): AbortSignal {
    return this.#left.signal;
  }

  /** What happens is more than can wait in memory. */
  get isFarBehind(): boolean {
    return this.#backlog?.isFull ?? false;
  }

  /** Pending while it is behind; resolves when it has seen everything, or has left. */
  get level(): Promise<void> | undefined {
    return this.#level?.promise;
  }

  /** Returns a promise only when the client reads too slowly. */
  show(event: SessionEvent, seq: number | undefined): void | Promise<void> {
    if (!this.#backlog) return this.peer.publish(this.#options.sessionId, event, seq);
    this.#backlog.add(event, seq);
  }

  /** From now on what happens waits. What has waited before is given up: the viewer will be told of it from the log. */
  hold(): void {
    this.#backlog = new Backlog(this.#options.limits, this.#backlog);
    this.#level ??= createDeferred();
  }

  /** Shows what has waited, and from now on everything at once; false when it was too much and must come from the log. */
  release(): boolean {
    if (this.signal.aborted) return true;
    if (this.isFarBehind) return false;
    const waiting = this.#backlog?.take() ?? [];
    this.#backlog = undefined;
    if (this.isOpening) this.knowsCommands = waiting.some(({ event }) => event.type === 'commands');
    this.isOpening = false;
    for (const { event, seq } of waiting) void this.peer.publish(this.#options.sessionId, event, seq);
    this.#settle();
    return true;
  }

  close(): void {
    this.#left.abort(sessionNotFound(this.#options.sessionId));
    this.#settle();
  }

  #settle(): void {
    this.#level?.resolve();
    this.#level = undefined;
  }
}
