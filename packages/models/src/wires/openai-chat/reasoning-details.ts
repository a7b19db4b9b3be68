import { asObject, type JsonObject } from '../../http/json.ts';
import type { JsonValue } from '../../model/history.ts';

/** The fields that arrive in pieces; everything else comes whole. */
const STREAMED = ['text', 'summary', 'data'];

/** Joins OpenRouter's streamed `reasoning_details`: pieces of one index and type are one entry that goes back whole. */
export function mergeDetails(known: readonly JsonValue[], pieces: readonly JsonValue[]): readonly JsonValue[] {
  const merged = [...known];
  for (const piece of pieces) {
    const last = asObject(merged.at(-1));
    const next = asObject(piece);
    if (last !== undefined && next !== undefined && isSameEntry(last, next))
      merged[merged.length - 1] = join(last, next);
    else merged.push(piece);
  }
  return merged;
}

function isSameEntry(a: JsonObject, b: JsonObject): boolean {
  return a.type === b.type && a.index === b.index && typeof a.index === 'number';
}

function join(a: JsonObject, b: JsonObject): JsonValue {
  const joined: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = a[key];
    const isPiece = STREAMED.includes(key) && typeof before === 'string' && typeof value === 'string';
    if (isPiece) joined[key] = before + value;
    else if (value !== null && value !== undefined) joined[key] = value;
  }
  return joined as JsonValue;
}
