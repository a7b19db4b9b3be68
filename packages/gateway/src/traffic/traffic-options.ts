import type { TraceEntry } from '@parley/session/traces';

/** How much of what passes is kept for inspection, over all principals. */
export interface TrafficOptions {
  /** Default: 20,000. */
  readonly maxEntries?: number;
  /** About; by the texts and fields of messages. Default: 16 MiB. */
  readonly maxBytes?: number;
  /** Known secrets, taken out wherever they stand, besides what looks like one. May grow. */
  readonly secrets?: readonly string[];
}

export interface TrafficQuery {
  readonly principal: string;
  readonly signal: AbortSignal;
  readonly agent?: string;
  /** Only what belongs to this session, and what belongs to none: how a wire began, and what was written to stderr. */
  readonly sessionId?: string;
  /** Where a reader that was cut off goes on: the number of the last entry that it has. Default: with the oldest that is kept. */
  readonly after?: number;
}

/** Something that passed, without secrets. */
export type TrafficEntry = TraceEntry & {
  /** Counts the entries of this principal, from 1. */
  readonly seq: number;
};

export interface TrafficBatch {
  readonly entries: readonly TrafficEntry[];
  /** Entries that were forgotten before they could be read. */
  readonly missed: number;
}
