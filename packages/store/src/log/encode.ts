import type { EncodedEvent } from '../backend/operations.ts';
import { quote, StoreError } from '../contract/errors.ts';
import { MAX_NAME_LENGTH } from '../contract/limits.ts';
import type { NewEvent } from '../contract/session-log.ts';
import { keepEvent } from './kept-event.ts';

/** NUL ends a text in SQLite, and half a surrogate pair has no UTF-8; neither may silently change a name. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

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

export function requireName(what: string, value: string): string {
  if (typeof value !== 'string') throw new StoreError('invalid_input', `${what} must be a text, not ${typeof value}.`);
  if (value === '') throw new StoreError('invalid_input', `${what} must not be empty.`);
  if (value.length > MAX_NAME_LENGTH) {
    throw new StoreError(
      'invalid_input',
      `${what} is longer than ${MAX_NAME_LENGTH} characters; choose a shorter one.`,
    );
  }
  if (UNSTORABLE.test(value)) {
    throw new StoreError(
      'invalid_input',
      `${what} must not contain NUL or half a surrogate pair, as ${quote(value)} does.`,
    );
  }
  return value;
}

export function requireCount(what: string, value: number): number {
  // Adding 0 makes 0 of -0, which JSON and databases do not tell apart.
  if (Number.isSafeInteger(value) && value >= 0) return value + 0;
  throw new StoreError('invalid_input', `${what} must be a whole number from 0 on, not ${value}.`);
}

export function requireEpoch(epoch: number | undefined): number | undefined {
  return epoch === undefined ? undefined : requireCount('An epoch', epoch);
}

/** Checks the options that are whole numbers from 1 on; those left out are not looked at. */
export function requireWholeNumbers<Name extends string>(
  what: string,
  options: { readonly [Key in Name]?: number | undefined },
  names: readonly Name[],
): void {
  for (const name of names) {
    const value = options[name];
    if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) continue;
    throw new StoreError('invalid_input', `${what} needs a whole number from 1 on as ${name}, not ${value}.`);
  }
}
