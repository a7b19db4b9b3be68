import type { SessionEvent } from '@parley/session';
import type { Appended, NewEvent } from '@parley/store';
import type { AgentLimits } from '../limits.ts';

/**
 * The one way that events of a session take: into its log, and to the clients that have it open, in the order in which
 * they happened.
 */
export interface EventPipe<Audience = unknown> {
  /**
   * Logs an event and shows it. Returns a promise only when the caller should wait before it goes on: a client reads
   * slowly, or the log writes slowly.
   */
  push(event: SessionEvent, audience?: Audience): void | Promise<void>;
  /** Shows an event that is not logged, in its place in the order. */
  pass(event: SessionEvent, audience?: Audience): void | Promise<void>;
  /** Logs something beside the events, and shows `shown` in its place, if there is something to see of it. */
  record(entry: NewEvent, shown?: SessionEvent): void;
  /**
   * Everything before this call is in the log and shown when the promise resolves; it tells the last sequence number.
   * `atCut` is called between the events before and the events after, with no event of either side in between.
   */
  cut(atCut?: () => void): Promise<number>;
  /** The last sequence number of what was shown by now, the event that is just being shown included. Never rejects. */
  place(): number | Promise<number>;
  /** Resolves, never rejects, when everything before this call was shown; undefined when it already is. */
  shown(): Promise<void> | undefined;
}

export interface EventPipeOptions<Audience> {
  readonly append: (events: readonly NewEvent[]) => Promise<Appended>;
  /** Shows an event; `seq` is its number in the log, where that is known by now. */
  readonly publish: (
    event: SessionEvent,
    seq: number | undefined,
    audience: Audience | undefined,
  ) => void | Promise<void>;
  /** The log could not be written; events that waited for it are dropped. */
  readonly onFailure: (error: unknown) => void;
  /** The last sequence number of what was shown. */
  readonly shown: () => number;
  /** The entry with this number is shown now, unless clients see nothing of it. */
  readonly onShow?: (seq: number) => void;
  readonly limits: AgentLimits;
  /** A copy of an event that the agent's author emits; throws when the event is not allowed. */
  readonly own: (event: SessionEvent) => SessionEvent;
}
