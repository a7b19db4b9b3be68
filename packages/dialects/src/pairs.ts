import { isRecord } from './fields.ts';

/** One environment variable or HTTP header. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** A map (S2:343, S4:231) as the canonical list of pairs; anything else as it is. */
export function readPairs(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.entries(value).flatMap(([name, item]) => {
    const isScalar = typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean';
    return isScalar ? [{ name, value: String(item) }] : [];
  });
}

/** Pairs as a map. A repeated variable keeps its last value; repeated headers are joined, as HTTP allows. */
export function writePairs(value: unknown, repeated: 'last' | 'join' = 'last'): unknown {
  if (!Array.isArray(value)) return value;
  const map = new Map<string, string>();
  for (const pair of value.filter(isPair)) {
    const earlier = map.get(pair.name);
    map.set(pair.name, repeated === 'join' && earlier !== undefined ? `${earlier}, ${pair.value}` : pair.value);
  }
  return Object.fromEntries(map);
}

/** Whether a map cannot hold the whole list: a name occurs twice, or there is more than name and value. */
export function exceedsMap(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const plain = value.filter((pair) => isPair(pair) && Object.keys(pair).length === 2);
  return new Set(plain.map(({ name }) => name)).size < value.length;
}

function isPair(value: unknown): value is Pair {
  return isRecord(value) && typeof value.name === 'string' && typeof value.value === 'string';
}
