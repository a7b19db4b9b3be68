import { META, type SessionEvent } from '@parley/session';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { AgentLimits } from '../limits.ts';
import { createDeferred, type Deferred } from '../promises.ts';
import { sessionNotFound } from '../refusals.ts';
import { Backlog } from './backlog.ts';

export interface ViewerOptions {
  readonly peer: ClientPeer;
  readonly sessionId: string;
  readonly limits: AgentLimits;
}

/** A viewer that events wait for. */
interface Behind {
  /** `opening`: the client does not know of the session yet, since the answer that opens it is on its way. */
  readonly name: 'opening' | 'behind';
  readonly backlog: Backlog;
  readonly level: Deferred;
}

/**
 * `level` -> `behind` -> `level`, as often as the client reads too slowly; `opening` only at first. A client that leaves closes the
 * viewer in any of them.
 */
type ViewerState = Behind | { readonly name: 'level'; readonly backlog: undefined; readonly level: undefined };

const LEVEL: ViewerState = { name: 'level', backlog: undefined, level: undefined };

/**
 * One client that has a session open. It is shown events at once, unless it is behind: the answer that opens the session is
 * still on its way, the past is being replayed, or the client reads too slowly. Events then wait for it.
 */
export class Viewer {
  readonly peer: ClientPeer;
  readonly #options: ViewerOptions;
  readonly #left = new AbortController();
  #state: ViewerState = LEVEL;
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

  /** Waits for the answer to its opening of the session. */
  get isOpening(): boolean {
    return this.#state.name === 'opening';
  }

  /** More events wait than memory may hold. */
  get isFarBehind(): boolean {
    return this.#state.backlog?.isFull ?? false;
  }

  /** Pending while it is behind; resolves when it has seen everything, or has left. */
  get level(): Promise<void> | undefined {
    return this.#state.level?.promise;
  }

  /** Returns a promise only when the client reads too slowly. */
  show(event: SessionEvent, seq: number | undefined): void | Promise<void> {
    const { subagents, nestedSubagents } = this.peer.offers;
    // This client receives the original in the session of the sub-agent.
    if (subagents && !nestedSubagents && event.meta?.[META.subagent] !== undefined) return;
    const { backlog } = this.#state;
    if (!backlog) return this.peer.publish(this.#options.sessionId, event, seq);
    backlog.add(event, seq);
  }

  /** From now on events wait. Those that waited before are dropped: the viewer will read them from the log. */
  hold(name: Behind['name'] = this.isOpening ? 'opening' : 'behind'): void {
    const { backlog, level } = this.#state;
    this.#state = { name, backlog: new Backlog(this.#options.limits, backlog), level: level ?? createDeferred() };
  }

  /** Shows the events that waited, and later ones at once; false when too many waited and the log must be read. */
  release(): boolean {
    if (this.signal.aborted) return true;
    if (this.isFarBehind) return false;
    const { backlog, level } = this.#state;
    const waiting = backlog?.take() ?? [];
    if (this.isOpening) this.knowsCommands = waiting.some(({ event }) => event.type === 'commands');
    this.#state = LEVEL;
    for (const { event, seq } of waiting) void this.peer.publish(this.#options.sessionId, event, seq);
    level?.resolve();
    return true;
  }

  close(): void {
    this.#left.abort(sessionNotFound(this.#options.sessionId));
    this.#state.level?.resolve();
  }
}
