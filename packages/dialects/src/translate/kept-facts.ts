import { type Fields, isRecord, pick, set, without } from '../fields.ts';

/**
 * What one side's words cannot carry rides along in `_meta.dialect`, so that the way back finds it.
 *
 * On a canonical object, `_meta.dialect.<name>` holds a fact that only the foreign message had. On a foreign object,
 * `_meta.dialect.was` holds the canonical fields it could not carry, and `added` names the fields it made us invent.
 * A peer that ignores `_meta`, as all five documents allow, loses these and nothing else.
 */
const DIALECT = 'dialect';

/** Keeps foreign facts on a canonical object; undefined ones are left out. */
export function keepFacts(fields: Fields, facts: Fields): Fields {
  if (isEmpty(facts)) return fields;
  const meta = recordOf(fields._meta);
  const kept = { ...recordOf(meta[DIALECT]) };
  for (const name of Object.keys(facts)) if (facts[name] !== undefined) set(kept, name, facts[name]);
  return { ...fields, _meta: { ...meta, [DIALECT]: kept } };
}

/** One kept fact, or undefined. */
export function keptFact(fields: Fields, name: string): unknown {
  const { _meta: meta } = fields;
  if (!isRecord(meta) || !isRecord(meta[DIALECT])) return undefined;
  return meta[DIALECT][name];
}

/** Forgets kept facts, and leaves no empty `_meta` behind. */
export function dropFacts(fields: Fields, ...names: readonly string[]): Fields {
  const { _meta: meta } = fields;
  if (!isRecord(meta) || !isRecord(meta[DIALECT])) return fields;
  return withMeta(fields, forget(meta, names));
}

/** Sends canonical fields along on a foreign object, and names the fields that were invented for it. */
export function keep(foreign: Fields, was: Fields, added: readonly string[] = []): Fields {
  if (isEmpty(was) && added.length === 0) return foreign;
  const kept = { ...recordOf(keptFact(foreign, 'was')), ...pick(was, isDefined) };
  const invented = [...namesOf(keptFact(foreign, 'added')), ...added];
  return keepFacts(foreign, {
    was: isEmpty(kept) ? undefined : kept,
    added: invented.length > 0 ? invented : undefined,
  });
}

/** Gives a read object the canonical fields back that were sent along with it. */
export function restore(read: Fields): Fields {
  const { _meta: meta } = read;
  if (!isRecord(meta) || !isRecord(meta[DIALECT])) return read;
  const { was, added } = meta[DIALECT];
  if (was === undefined && added === undefined) return read;
  const invented = new Set(namesOf(added));
  const restored = pick(read, (name) => name !== '_meta' && !invented.has(name));
  const rest = forget(meta, ['was', 'added']);
  if (rest) restored._meta = rest;
  if (isRecord(was)) for (const name of Object.keys(was)) set(restored, name, was[name]);
  return restored;
}

/** The `_meta` without some kept facts; undefined when nothing is left. */
function forget(meta: Fields, names: readonly string[]): Fields | undefined {
  const kept = without(recordOf(meta[DIALECT]), ...names);
  const rest = isEmpty(kept) ? without(meta, DIALECT) : { ...meta, [DIALECT]: kept };
  return isEmpty(rest) ? undefined : rest;
}

function withMeta(fields: Fields, meta: Fields | undefined): Fields {
  return meta === undefined ? without(fields, '_meta') : { ...fields, _meta: meta };
}

function isEmpty(fields: Fields): boolean {
  for (const name in fields) if (fields[name] !== undefined) return false;
  return true;
}

function isDefined(_name: string, value: unknown): boolean {
  return value !== undefined;
}

function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
