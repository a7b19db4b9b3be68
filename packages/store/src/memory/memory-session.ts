import type { EncodedEvent, InboundRow, SessionRow } from '../backend/operations.ts';

/** One session in memory. */
export interface MemorySession {
  row: SessionRow;
  /** Those that are kept: the first of them has the number `trimmedTo`, or 1. */
  readonly events: MemoryEvent[];
  /** The bytes of all bodies up to and including each of them. */
  readonly ends: number[];
  readonly inbound: Map<string, InboundRow>;
}

export interface MemoryEvent {
  readonly epoch: number;
  readonly timeMs: number;
  readonly event: EncodedEvent;
}

export interface PageLimits {
  readonly after: number;
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** As many events after the cursor as the limits allow, but at least one. */
export function pageOf({ row, events, ends }: MemorySession, { after, maxEvents, maxBytes }: PageLimits): string {
  const dropped = droppedFrom(row);
  const first = after - dropped;
  const start = first === 0 ? row.trimmedBytes : (ends[first - 1] ?? 0);
  const last = Math.min(first + maxEvents, events.length);
  let end = Math.min(first + 1, last);
  while (end < last && (ends[end] ?? 0) - start <= maxBytes) end++;
  const tuples = events.slice(first, end).map(({ epoch, timeMs, event }, index) => {
    const { kind, json } = event;
    return `[${after + index + 1},${epoch},${timeMs},${JSON.stringify(kind)},${json}]`;
  });
  return `[${tuples.join(',')}]`;
}

/** How many events are missing at the start of the lists of a session. */
export function droppedFrom({ trimmedTo }: Pick<SessionRow, 'trimmedTo'>): number {
  return Math.max(0, trimmedTo - 1);
}
