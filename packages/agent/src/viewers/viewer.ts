import { META, type SessionEvent } from '@parley/session';
import type { ClientPeer } from '../contract/client-peer.ts';
import { createDeferred, type Deferred } from '../deferred.ts';
import type { AgentLimits } from '../limits.ts';
import { sessionNotFound } from '../refusals.ts';
import { Backlog } from './backlog.ts';

export interface ViewerOptions {
  readonly peer: ClientPeer;
  readonly sessionId: string;
  readonly limits: AgentLimits;
}

/**
 * One client that has a session open. It is shown events at once, unless it is behind: the answer that opens the session is
 * still on its way, the past is being replayed, or the client reads too slowly. Events then wait for it.
 */
export class Viewer {
  readonly peer: ClientPeer;
  readonly #options: ViewerOptions;
  readonly #left = new AbortController();
  #backlog: Backlog | undefined;
  #level: Deferred | undefined;
  /** Waits for the answer to its opening of the session. */
  isOpening = false;
  /** The client was sent the commands when it had opened the session. */
  knowsCommands = false;
  /** The place in the log up to which it has seen everything; of meaning only while it is behind. */
  seen: number | Promise<number> = 0;
  /** Pending while its wire takes no more. */
  room: Promise<void> | undefined;
  /** A diagnostic has said that this client cannot keep up. */
  isReported = false;

  constructor(options: ViewerOptions) {
    this.peer = options.peer;
    this.#options = options;
  }

  /** Aborts when the client has the session no longer open, or opens it anew. */
  get signal(): AbortSignal {
    return this.#left.signal;
  }

  /** More events wait than memory may hold. */
  get isFarBehind(): boolean {
    return this.#backlog?.isFull ?? false;
  }

  /** Pending while it is behind; resolves when it has seen everything, or has left. */
  get level(): Promise<void> | undefined {
    return this.#level?.promise;
  }

  /** Returns a promise only when the client reads too slowly. */
  show(event: SessionEvent, seq: number | undefined): void | Promise<void> {
    const { subagents, nestedSubagents } = this.peer.offers;
    // This client receives the original in the session of the sub-agent.
    if (subagents && !nestedSubagents && event.meta?.[META.subagent] !== undefined) return;
    if (!this.#backlog) return this.peer.publish(this.#options.sessionId, event, seq);
    this.#backlog.add(event, seq);
  }

  /** From now on events wait. Those that waited before are dropped: the viewer will read them from the log. */
  hold(): void {
    this.#backlog = new Backlog(this.#options.limits, this.#backlog);
    this.#level ??= createDeferred();
  }

  /** Shows the events that waited, and later ones at once; false when too many waited and the log must be read. */
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
