import type { EncodedEvent, InboundRow, SessionRow } from '../backend/operations.ts';

/** One session in memory. */
export interface MemorySession {
  row: SessionRow;
  readonly events: MemoryEvent[];
  /** The bytes of all bodies up to and including each event. */
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
export function pageOf({ events, ends }: MemorySession, { after, maxEvents, maxBytes }: PageLimits): string {
  const start = after === 0 ? 0 : (ends[after - 1] ?? 0);
  const last = Math.min(after + maxEvents, events.length);
  let end = Math.min(after + 1, last);
  while (end < last && (ends[end] ?? 0) - start <= maxBytes) end++;
  const tuples = events.slice(after, end).map(({ epoch, timeMs, event }, index) => {
    const { kind, json } = event;
    return `[${after + index + 1},${epoch},${timeMs},${JSON.stringify(kind)},${json}]`;
  });
  return `[${tuples.join(',')}]`;
}
