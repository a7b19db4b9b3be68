import { cloneJson, leastJsonLength, MOST_BYTES_PER_CHARACTER } from '@parley/jsonrpc';
import type { EncodedEvent } from './operations.ts';

/** An event before its body is encoded. */
export interface PlainEvent {
  readonly kind: string;
  readonly timeMs: number;
  readonly body: unknown;
}

/**
 * An event kept as a copy of its body, whose text is only written when somebody reads it: most events in memory are never
 * read again, and writing them would double what an update costs.
 */
class KeptEvent implements EncodedEvent {
  readonly kind: string;
  readonly timeMs: number;
  readonly bytes: number;
  readonly #body: unknown;

  constructor({ kind, timeMs, body }: PlainEvent, bytes: number) {
    this.kind = kind;
    this.timeMs = timeMs;
    this.bytes = bytes;
    this.#body = body;
  }

  get json(): string {
    return JSON.stringify(this.#body);
  }
}

/** Keeps an event that is surely within the limit; undefined for all others, which need a closer look. */
export function keepEvent(event: PlainEvent, maxBytes: number): EncodedEvent | undefined {
  let body: unknown;
  try {
    body = cloneJson(event.body);
  } catch {
    return undefined;
  }
  const bytes = leastJsonLength(body);
  const isSafe = body !== undefined && bytes * MOST_BYTES_PER_CHARACTER <= maxBytes;
  return isSafe ? new KeptEvent({ ...event, body }, bytes) : undefined;
}
