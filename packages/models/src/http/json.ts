import { isRecord } from '@parley/jsonrpc/internal';

/** A JSON object of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads wire data leniently: what has the wrong type counts as absent, because servers disagree in the details. */
export function asObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? value : undefined;
}

export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  return asObject(object?.[key]);
}

export function stringAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function objectsAt(object: JsonObject | undefined, key: string): readonly JsonObject[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.map(asObject).filter((item) => item !== undefined) : [];
}

/** Parses JSON, or returns undefined. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
