import { isRecord } from '@parley/jsonrpc/internal';
import { RememberedFormatError } from '../errors.ts';
import { parseRule } from '../rules/rule.ts';
import type { Remembered, RememberedWhat, RememberScope } from './remembered.ts';

/** Reads an entry from a file or a database. Throws RememberedFormatError with the path of what is wrong. */
export function parseRemembered(value: unknown): Remembered {
  const entry = isRecord(value) ? value : fail('entry', 'an object');
  const text = (name: string): string => (typeof entry[name] === 'string' ? entry[name] : fail(name, 'a string'));
  const effect =
    entry.effect === 'allow' || entry.effect === 'deny' ? entry.effect : fail('effect', '"allow" or "deny"');
  const scope = SCOPES.find((each) => each === entry.scope) ?? fail('scope', 'session, project or user');
  const what = isRecord(entry.what) ? entry.what : fail('what', 'an object');
  const parsed = readWhat(what);
  const { agent, folder } = entry;
  return {
    id: text('id'),
    effect,
    scope,
    ...(scope === 'user' ? {} : { belongsTo: text('belongsTo') }),
    ...(scope === 'session' && typeof agent === 'string' && { agent }),
    ...(scope === 'session' && typeof folder === 'string' && { folder }),
    what: parsed,
    shown: text('shown'),
    createdAt: text('createdAt'),
  };
}

function readWhat(what: Readonly<Record<string, unknown>>): RememberedWhat {
  const { type, key, rule } = what;
  if (type === 'exact' && typeof key === 'string') return { type, key };
  if (type !== 'rule' || typeof rule !== 'string') return fail('what', '{type: "exact", key} or {type: "rule", rule}');
  parseRule(rule);
  return { type, rule };
}

function fail(path: string, expected: string): never {
  throw new RememberedFormatError(path, expected);
}

const SCOPES: readonly RememberScope[] = ['session', 'project', 'user'];
