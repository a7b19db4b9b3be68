import { RememberedFormatError } from '../errors.ts';
import { isRecord } from '../request/record.ts';
import type { ToolRequest } from '../request/request.ts';
import { parseRule, type Rule } from '../rules/rule.ts';
import { resolvePath } from '../workspace/paths.ts';

/** How far an answer reaches: this session, this project, or everything this person does. */
export type RememberScope = 'session' | 'project' | 'user';

/** An answer "always", as it is stored. */
export interface Remembered {
  readonly id: string;
  readonly effect: 'allow' | 'deny';
  readonly scope: RememberScope;
  /** The session's id or the project's folder; absent for `user`. */
  readonly belongsTo?: string;
  readonly what: RememberedWhat;
  /** What the person was shown when answering; the entry never reaches further. */
  readonly shown: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Exactly one request, or a rule that the person was shown as a rule. */
export type RememberedWhat =
  | { readonly type: 'exact'; readonly key: string }
  | { readonly type: 'rule'; readonly rule: string };

/** Where remembered decisions are kept. Ours are in memory here and in files and databases elsewhere. */
export interface RememberedStore {
  /** Everything that holds at this place, oldest first. */
  list(place: Place): Promise<readonly Remembered[]>;
  save(entry: Remembered): Promise<void>;
  /** Revokes; false when there was no such entry. */
  remove(id: string): Promise<boolean>;
}

/** The session and project that a decision is for. */
export interface Place {
  readonly sessionId?: string;
  readonly project?: string;
}

/** Remembered decisions prepared for looking up. */
export interface RememberedIndex {
  readonly isEmpty: boolean;
  /** Entries that are rules; they take part like rules from a file. */
  readonly rules: readonly Rule[];
  /** The entry about exactly this request; a denial before an approval. */
  find(keyHere: string, keyAnywhere: string): Remembered | undefined;
}

/** Most entries that a memory store keeps; the oldest goes first. */
export const MAX_REMEMBERED = 10_000;

export function createMemoryRemembered(entries: readonly Remembered[] = []): RememberedStore {
  const kept = new Map(entries.map((entry) => [entry.id, entry]));
  return {
    list: async (place) => [...kept.values()].filter((entry) => holdsAt(entry, place)),
    save: async (entry) => {
      kept.set(entry.id, entry);
      for (const id of kept.keys()) if (kept.size > MAX_REMEMBERED) kept.delete(id);
    },
    remove: async (id) => kept.delete(id),
  };
}

/** Does this entry hold in this session and project? */
export function holdsAt(entry: Remembered, place: Place): boolean {
  if (entry.scope === 'user') return true;
  return (
    entry.belongsTo !== undefined && entry.belongsTo === (entry.scope === 'session' ? place.sessionId : place.project)
  );
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

/**
 * One text for one request, different for every other: what is run or touched, and in which folder. Without `cwd` the key is
 * for the request in any folder, which only an answer with scope `user` uses.
 */
export function requestKey(request: ToolRequest, cwd: string | undefined): string {
  const folder = cwd === undefined ? '' : resolvePath(cwd, request.cwd ?? '.');
  const isKnown = request.command !== undefined || request.paths !== undefined || request.url !== undefined;
  return JSON.stringify([
    folder,
    request.tool,
    request.kind ?? '',
    request.command ?? null,
    request.paths ?? null,
    request.url ?? null,
    isKnown ? null : sortKeys(request.input, 0),
  ]);
}

/** Reads an entry from a file or a database. Throws RememberedFormatError with the path of what is wrong. */
export function parseRemembered(value: unknown): Remembered {
  const entry = isRecord(value) ? value : fail('entry', 'an object');
  const text = (name: string): string => (typeof entry[name] === 'string' ? entry[name] : fail(name, 'a string'));
  const effect =
    entry.effect === 'allow' || entry.effect === 'deny' ? entry.effect : fail('effect', '"allow" or "deny"');
  const scope = SCOPES.find((each) => each === entry.scope) ?? fail('scope', 'session, project or user');
  const what = isRecord(entry.what) ? entry.what : fail('what', 'an object');
  const parsed = readWhat(what);
  return {
    id: text('id'),
    effect,
    scope,
    ...(scope === 'user' ? {} : { belongsTo: text('belongsTo') }),
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

/** The same JSON for the same data, whatever order its fields came in. */
function sortKeys(value: unknown, depth: number): unknown {
  if (depth > MAX_INPUT_DEPTH) return 'deeper';
  if (Array.isArray(value)) return value.map((item) => sortKeys(item, depth + 1));
  if (!isRecord(value)) return value ?? null;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sortKeys(value[name], depth + 1)]),
  );
}

const SCOPES: readonly RememberScope[] = ['session', 'project', 'user'];
/** How deep a tool's input is compared. */
const MAX_INPUT_DEPTH = 32;
