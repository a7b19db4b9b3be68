import type { EncodedEvent } from '../backend/operations.ts';
import { quote, StoreError } from '../contract/errors.ts';
import { requireCount, requireName } from '../contract/require.ts';
import type { NewEvent } from '../contract/session-log.ts';
import { keepEvent } from './kept-event.ts';

export interface EncodeEventOptions {
  readonly maxBytes: number;
  /** Whether a copy of the body will do, and its text can wait until somebody reads it. */
  readonly keepsCopies: boolean;
  /** Whether the body itself will do in place of a copy. */
  readonly isFinal: boolean;
  /** The platform's own way to count the bytes of a text in UTF-8. */
  readonly byteLength: ((text: string) => number) | undefined;
}

export function encodeEvent(event: NewEvent, options: EncodeEventOptions): EncodedEvent {
  const { maxBytes, keepsCopies, isFinal, byteLength = countBytes } = options;
  const kind = requireName('An event kind', event.kind);
  const timeMs = event.timeMs === undefined ? undefined : requireCount('An event time', event.timeMs);
  const kept = keepsCopies ? keepEvent({ kind, timeMs, body: event.body }, { maxBytes, isFinal }) : undefined;
  if (kept) return kept;
  const json = encodeJson(`The body of event ${quote(kind)}`, event.body, maxBytes);
  return { kind, json, bytes: byteLength(json), timeMs };
}

/** Any JSON value as text; refuses what JSON cannot say and what is too large. */
export function encodeJson(what: string, value: unknown, maxBytes: number): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (cause) {
    const why = cause instanceof RangeError ? 'it is nested too deep' : firstLine(cause);
    throw new StoreError('invalid_input', `${what} cannot be written as JSON (${why}); give plain data.`, { cause });
  }
  if (json === undefined) throw new StoreError('invalid_input', `${what} is ${typeof value}, which JSON cannot hold.`);
  // Three bytes per character is the most UTF-8 needs, so that short texts need no counting.
  if (json.length * 3 > maxBytes && countBytes(json) > maxBytes) {
    throw new StoreError('invalid_input', `${what} is larger than ${maxBytes} bytes; split it or store it elsewhere.`);
  }
  return json;
}

/** Needs no platform's help, but room for a second copy of the text. */
function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Engines describe values that cannot be JSON over several lines. */
function firstLine(cause: unknown): string {
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  return line;
}

export function encodeMetadata(metadata: Readonly<Record<string, unknown>>, maxBytes: number): string {
  const json = encodeJson('The metadata of a session', metadata, maxBytes);
  if (json.startsWith('{')) return json;
  throw new StoreError('invalid_input', 'The metadata of a session must be a JSON object.');
}
