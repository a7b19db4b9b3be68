import { type Fields, isRecord, without } from './fields.ts';

/**
 * What one side's words cannot carry rides along in `_meta.dialect`, so that the way back finds it.
 *
 * On a canonical object, `_meta.dialect.<name>` holds a fact that only the foreign message had. On a foreign object,
 * `_meta.dialect.was` holds the canonical fields it could not carry, and `added` names the fields it made us invent.
 * A peer that ignores `_meta`, as all five documents allow, loses these and nothing else.
 */
const DIALECT = 'dialect';

/** Keeps foreign facts on a canonical object; undefined ones are left out. */
export function stash(fields: Fields, facts: Fields): Fields {
  const present = defined(facts);
  if (Object.keys(present).length === 0) return fields;
  const meta = recordOf(fields._meta);
  return { ...fields, _meta: { ...meta, [DIALECT]: { ...recordOf(meta[DIALECT]), ...present } } };
}

/** One kept fact, or undefined. */
export function stashed(fields: Fields, name: string): unknown {
  const { _meta: meta } = fields;
  if (!isRecord(meta) || !isRecord(meta[DIALECT])) return undefined;
  return meta[DIALECT][name];
}

/** Forgets kept facts, and leaves no empty `_meta` behind. */
export function unstash(fields: Fields, ...names: readonly string[]): Fields {
  const { _meta: meta } = fields;
  if (!isRecord(meta) || !isRecord(meta[DIALECT])) return fields;
  const kept = without(meta[DIALECT], ...names);
  if (Object.keys(kept).length > 0) return { ...fields, _meta: { ...meta, [DIALECT]: kept } };
  const rest = without(meta, DIALECT);
  return Object.keys(rest).length > 0 ? { ...fields, _meta: rest } : without(fields, '_meta');
}

/** Sends canonical fields along on a foreign object, and names the fields that were invented for it. */
export function keep(foreign: Fields, was: Fields, added: readonly string[] = []): Fields {
  const kept = { ...recordOf(stashed(foreign, 'was')), ...defined(was) };
  const invented = [...namesOf(stashed(foreign, 'added')), ...added];
  return stash(foreign, {
    was: Object.keys(kept).length > 0 ? kept : undefined,
    added: invented.length > 0 ? invented : undefined,
  });
}

/** Gives a read object the canonical fields back that were sent along with it. */
export function restore(read: Fields): Fields {
  const was = stashed(read, 'was');
  const added = stashed(read, 'added');
  if (was === undefined && added === undefined) return read;
  return { ...without(unstash(read, 'was', 'added'), ...namesOf(added)), ...recordOf(was) };
}

function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
