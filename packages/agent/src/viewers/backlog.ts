import { cloneJson, leastJsonLength } from '@parley/jsonrpc/internal';
import { isPassing, type SessionEvent } from '@parley/session';
import type { NumberedEvent } from '@parley/session/log';
import type { AgentLimits } from '../limits.ts';

type BacklogLimits = Pick<AgentLimits, 'maxBacklogEvents' | 'maxBacklogBytes'>;

/**
 * Events that wait for one viewer that cannot be shown them yet. It holds a bounded number; once there are more, it drops
 * those that the log has too, and the viewer reads them from there.
 */
export class Backlog {
  readonly #limits: BacklogLimits;
  #events: NumberedEvent[] = [];
  #bytes = 0;
  #isFull = false;
  /** The latest of each kind that is shown and never logged. */
  readonly #passing: Map<string, NumberedEvent>;

  /** `earlier` waited for the viewer before, which will now read those events from the log. */
  constructor(limits: BacklogLimits, earlier?: Backlog) {
    this.#limits = limits;
    this.#passing = earlier ? earlier.#keepPassing() : new Map();
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** Takes a copy, since the author may have changed the event by the time it is shown. */
  add(event: SessionEvent, seq: number | undefined): void {
    if (this.#isFull) {
      if (isUnlogged({ event, seq })) this.#passing.set(event.type, { event: cloneJson(event) as SessionEvent, seq });
      return;
    }
    const copy = cloneJson(event) as SessionEvent;
    this.#events.push({ event: copy, seq });
    this.#bytes += leastJsonLength(copy);
    const { maxBacklogEvents, maxBacklogBytes } = this.#limits;
    if (this.#events.length <= maxBacklogEvents && this.#bytes <= maxBacklogBytes) return;
    this.#isFull = true;
    this.#keepPassing();
    this.#events = [];
  }

  /** The waiting events in their order; once there were too many, only those that the log does not have. */
  take(): readonly NumberedEvent[] {
    return [...this.#passing.values(), ...this.#events];
  }

  #keepPassing(): Map<string, NumberedEvent> {
    for (const each of this.#events) if (isUnlogged(each)) this.#passing.set(each.event.type, each);
    return this.#passing;
  }
}

/** The state of a turn that has a number is read from the log with all else: shown twice, its number would go back. */
function isUnlogged({ event, seq }: NumberedEvent): boolean {
  return isPassing(event) && seq === undefined;
}
