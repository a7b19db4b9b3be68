import { parseRule, type Rule } from '../rules/rule.ts';
import type { Remembered } from './remembered.ts';

/** Remembered decisions prepared for looking up. */
export interface RememberedIndex {
  readonly isEmpty: boolean;
  /** Entries that are rules; they take part like rules from a file. */
  readonly rules: readonly Rule[];
  /** The entry about exactly this request; a denial before an approval. */
  find(keyHere: string, keyAnywhere: string): Remembered | undefined;
}

export function indexRemembered(entries: readonly Remembered[]): RememberedIndex {
  const exact = { allow: new Map<string, Remembered>(), deny: new Map<string, Remembered>() };
  const rules: Rule[] = [];
  for (const entry of entries) {
    if (entry.what.type === 'exact') exact[entry.effect].set(entry.what.key, entry);
    else rules.push(parseRule(entry.what.rule, { scope: entry.scope, file: 'remembered' }, entry.effect));
  }
  return {
    isEmpty: exact.allow.size + exact.deny.size === 0,
    rules,
    find: (here, anywhere) =>
      exact.deny.get(here) ?? exact.deny.get(anywhere) ?? exact.allow.get(here) ?? exact.allow.get(anywhere),
  };
}
