import type { Protocol } from '../versions/protocol.ts';
import type { KnownFields } from '../versions/wire-words.ts';
import { wordsOf } from '../versions/words.ts';

/** The first field that the specification does not know. What it does not describe at all may hold anything. */
export function findUnknownField(
  protocol: Protocol,
  [kind, name]: readonly [kind: keyof KnownFields, name: string],
  value: object,
): string | undefined {
  const table = wordsOf(protocol).knownFields[kind];
  const known = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!known) return undefined;
  return Object.keys(value).find((field) => field !== '_meta' && field !== 'sessionUpdate' && !known.includes(field));
}
