import { cloneJson, ParleyError } from '@parley/jsonrpc';
import type { SessionEvent } from '@parley/protocol';
import type { Wire } from './wire/wire.ts';

interface Viewer {
  readonly wire: Wire;
  /** What happens while the viewer is still being told what happened before, or that it has the session open at all. */
  waiting: SessionEvent[] | undefined;
  /** Waits for the answer to its opening of the session. */
  isOpening?: boolean;
  /** Was told of commands when it had opened the session. */
  knowsCommands?: boolean;
}

/** The clients that have one session open. All of them see the same events in the same order. */
export class Viewers {
  readonly #sessionId: string;
  readonly #maxWaitingEvents: number;
  readonly #viewers = new Map<Wire, Viewer>();

  constructor(sessionId: string, maxWaitingEvents: number) {
    this.#sessionId = sessionId;
    this.#maxWaitingEvents = maxWaitingEvents;
  }

  get size(): number {
    return this.#viewers.size;
  }

  has(wire: Wire): boolean {
    return this.#viewers.has(wire);
  }

  add(wire: Wire): void {
    this.#viewers.set(wire, { wire, waiting: undefined });
  }

  /** Adds a viewer that sees nothing until `welcome`: it does not know of the session yet. */
  addOpening(wire: Wire): void {
    this.#viewers.set(wire, { wire, waiting: [], isOpening: true });
  }

  /** Shows a viewer that has learnt of the session what was said before that; true when commands were among it. */
  welcome(wire: Wire): boolean {
    const viewer = this.#viewers.get(wire);
    if (!viewer?.isOpening) return viewer?.knowsCommands ?? false;
    const { waiting = [] } = viewer;
    viewer.isOpening = false;
    viewer.waiting = undefined;
    viewer.knowsCommands = waiting.some(({ type }) => type === 'commands');
    for (const event of waiting) void wire.publish(this.#sessionId, event);
    return viewer.knowsCommands;
  }

  /** Adds a viewer that sees nothing until `release`: it must hear of the past first. */
  addWaiting(wire: Wire): void {
    this.#viewers.set(wire, { wire, waiting: [] });
  }

  /** Shows a waiting viewer what it has missed; from now on it sees everything at once. */
  release(wire: Wire): void {
    const viewer = this.#viewers.get(wire);
    if (!viewer?.waiting) return;
    if (viewer.waiting.length > this.#maxWaitingEvents) {
      throw new ParleyError(
        'backlog_full',
        'More happened in the session than could be kept while it was being loaded.',
      );
    }
    for (const event of viewer.waiting) void wire.publish(this.#sessionId, event);
    viewer.waiting = undefined;
  }

  remove(wire: Wire): void {
    if (this.#viewers.delete(wire)) wire.forget(this.#sessionId);
  }

  removeAll(): void {
    for (const wire of [...this.#viewers.keys()]) this.remove(wire);
  }

  /** Returns a promise only when one of them reads too slowly. */
  show(event: SessionEvent, except?: Wire): void | Promise<void> {
    let slow: Promise<void> | undefined;
    for (const viewer of this.#viewers.values()) {
      if (viewer.wire === except) continue;
      if (viewer.waiting) {
        // A copy, since the author may have changed the event by the time it is shown.
        if (viewer.waiting.length <= this.#maxWaitingEvents) viewer.waiting.push(cloneJson(event) as SessionEvent);
        continue;
      }
      const result = viewer.wire.publish(this.#sessionId, event);
      if (result) slow = slow ? Promise.all([slow, result]).then(() => {}) : result;
    }
    return slow;
  }
}
