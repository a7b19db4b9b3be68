import type { SessionEvent } from '@parley/session';
import type { TurnEnd } from '../peer/agent-peer.ts';

/** Where the events of one session go. */
export interface EventSink {
  /** `cursor` is the event's number, where it has one. */
  receive(event: SessionEvent, cursor?: number): void;
  /** A turn of the session has ended. */
  endTurn?(end: TurnEnd): void;
  /** True while the agent replays the session. */
  readonly isReplaying?: boolean;
  /** Called when the session is dropped together with its parent. */
  removed?(): void;
}

/** An event of a session that one of ours has made. */
export interface SubagentUpdate {
  readonly parentId: string;
  readonly sessionId: string;
  readonly event: SessionEvent;
}

/** What did not reach a session. */
export interface RoutingCounts {
  /** Updates for sessions that are not ours. */
  readonly foreign: number;
  /** Updates for a session to come that did not fit into the buffer. */
  readonly dropped: number;
}

/**
 * Brings each update to its session, and to no other. Agents send updates before we have read the id of the session
 * they belong to; while we wait for one, updates with an unknown id are kept for it.
 */
export class SessionRouter {
  readonly #maxEarlyUpdates: number;
  readonly #sinks = new Map<string, EventSink>();
  /** Sessions that other sessions have made, each with the one that made it. */
  readonly #children = new Map<string, string>();
  readonly #early = new Map<string, { readonly event: SessionEvent; readonly cursor: number | undefined }[]>();
  #earlyUpdates = 0;
  #expected = 0;
  #foreign = 0;
  #dropped = 0;

  constructor(maxEarlyUpdates: number) {
    this.#maxEarlyUpdates = maxEarlyUpdates;
  }

  get counts(): RoutingCounts {
    return { foreign: this.#foreign, dropped: this.#dropped };
  }

  /** Keeps updates with unknown ids until the returned function is called: a session is being made. */
  expect(): () => void {
    this.#expected += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#expected -= 1;
      if (this.#expected === 0) this.#forgetEarly();
    };
  }

  /** From now on the session's events go to `sink`, beginning with those that came early. */
  add(sessionId: string, sink: EventSink): void {
    this.#sinks.set(sessionId, sink);
    const early = this.#early.get(sessionId);
    if (!early) return;
    this.#early.delete(sessionId);
    this.#earlyUpdates -= early.length;
    for (const { event, cursor } of early) sink.receive(event, cursor);
  }

  /** Only the sink that has the session may give it up: it may have been opened again since. */
  remove(sessionId: string, sink: EventSink): void {
    if (this.#sinks.get(sessionId) !== sink) return;
    this.#sinks.delete(sessionId);
    this.#forgetChildren(sessionId);
  }

  /** Routes the session of a sub-agent for as long as its parent is routed; false when the parent is not, or the session is open itself. */
  adopt(childId: string, parentId: string, sink: EventSink): boolean {
    if (this.#sinks.has(childId) || !this.#sinks.has(parentId)) return false;
    this.#children.set(childId, parentId);
    this.add(childId, sink);
    return true;
  }

  isReplaying(sessionId: string): boolean {
    return this.#sinks.get(sessionId)?.isReplaying === true;
  }

  #forgetChildren(parentId: string): void {
    for (const [childId, parent] of this.#children) {
      if (parent !== parentId) continue;
      this.#children.delete(childId);
      this.#sinks.get(childId)?.removed?.();
      this.#sinks.delete(childId);
      this.#forgetChildren(childId);
    }
  }

  route(sessionId: string, event: SessionEvent, cursor?: number): void {
    const sink = this.#sinks.get(sessionId);
    if (sink) return sink.receive(event, cursor);
    if (this.#expected > 0) this.#keep(sessionId, event, cursor);
    else this.#foreign += 1;
  }

  endTurn(sessionId: string, end: TurnEnd): void {
    this.#sinks.get(sessionId)?.endTurn?.(end);
  }

  #keep(sessionId: string, event: SessionEvent, cursor: number | undefined): void {
    if (this.#earlyUpdates >= this.#maxEarlyUpdates) {
      this.#dropped += 1;
      return;
    }
    this.#earlyUpdates += 1;
    const early = this.#early.get(sessionId);
    if (early) early.push({ event, cursor });
    else this.#early.set(sessionId, [{ event, cursor }]);
  }

  /** What is left over was for nobody. */
  #forgetEarly(): void {
    this.#foreign += this.#earlyUpdates;
    this.#earlyUpdates = 0;
    this.#early.clear();
  }
}
