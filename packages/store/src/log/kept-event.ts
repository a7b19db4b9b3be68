import { cloneJson, leastJsonLength, MOST_BYTES_PER_CHARACTER } from '@parley/jsonrpc/internal';
import type { EncodedEvent } from '../backend/operations.ts';

/** An event before its body is encoded. */
export interface PlainEvent {
  readonly kind: string;
  readonly timeMs: number | undefined;
  readonly body: unknown;
}

/**
 * An event kept as a copy of its body, whose text is only written when somebody reads it: most events in memory are never
 * read again, and writing them would double what an update costs.
 */
class KeptEvent implements EncodedEvent {
  readonly kind: string;
  readonly timeMs: number | undefined;
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

/** How deep a body may be nested to be kept as a copy: what is deeper might not be writable where it is read. */
const MAX_KEPT_DEPTH = 1000;

export interface KeepOptions {
  readonly maxBytes: number;
  /** Whether the body needs no copy. */
  readonly isFinal: boolean;
}

/** Keeps an event that is surely within the limits; undefined for all others, which need a closer look. */
export function keepEvent(event: PlainEvent, { maxBytes, isFinal }: KeepOptions): EncodedEvent | undefined {
  try {
    const body = isFinal ? event.body : cloneJson(event.body);
    const bytes = leastJsonLength(body);
    const isSafe = body !== undefined && bytes * MOST_BYTES_PER_CHARACTER <= maxBytes && !isDeep(body, bytes);
    return isSafe ? new KeptEvent({ ...event, body }, bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** Each level takes two characters at least, so that most bodies are too short to be deep. */
function isDeep(body: unknown, bytes: number): boolean {
  return bytes > 2 * MAX_KEPT_DEPTH && isDeeperThan(MAX_KEPT_DEPTH, body);
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  // A loop over an object's own names takes a third of the time that a list of its values would.
  for (const name in value) {
    if (isDeeperThan(depth - 1, (value as Record<string, unknown>)[name])) return true;
  }
  return false;
}
