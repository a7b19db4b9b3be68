import { isRecord } from '@parley/jsonrpc/internal';

export { isRecord };

/** A JSON object whose shape is not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** A value as it may stand in a sentence. Not `String`: of a hostile object that may throw, or overflow the stack. */
export function inWords(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '?';
}

/** Whether two lists hold the same scalars. */
export function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

/** The fields but for the named ones; the same object when it has none of them. */
export function without(fields: Fields, ...names: readonly string[]): Fields {
  if (!names.some((name) => Object.hasOwn(fields, name))) return fields;
  return pick(fields, (name) => !names.includes(name));
}

/** Only the named fields; the same object when it has no others. */
export function only(fields: Fields, names: readonly string[]): Fields {
  if (Object.keys(fields).every((name) => names.includes(name))) return fields;
  return pick(fields, (name) => names.includes(name));
}

/** A new object with the fields that pass a test. Several times faster than `...rest`, and done with every update. */
export function pick(fields: Fields, test: (name: string, value: unknown) => boolean): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    if (test(name, fields[name])) set(picked, name, fields[name]);
  }
  return picked;
}

/** As JSON.parse does it: `__proto__` is a name like any other, and changes no prototype. */
export function set(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') fields[name] = value;
  else Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Moves a field to another name. The new name wins where both are there, for it is the more explicit one. */
export function rename(fields: Fields, from: string, to: string): Fields {
  if (!Object.hasOwn(fields, from)) return fields;
  const renamed: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    if (name !== from) set(renamed, name, fields[name]);
    else if (fields[to] === undefined) set(renamed, to, fields[from]);
  }
  return renamed;
}

/** Applies `map` to one field where it is an object. */
export function mapField(fields: Fields, name: string, map: (value: Fields) => unknown): Fields {
  const value = fields[name];
  if (!isRecord(value)) return fields;
  const mapped = map(value);
  return mapped === value ? fields : { ...fields, [name]: mapped };
}

/** Applies `map` to each item of one field where it is an array; items mapped to undefined are left out. */
export function mapItems(fields: Fields, name: string, map: (item: unknown) => unknown): Fields {
  const items = fields[name];
  if (!Array.isArray(items)) return fields;
  const mapped = items.map(map).filter((item) => item !== undefined);
  const isSame = mapped.length === items.length && mapped.every((item, index) => item === items[index]);
  return isSame ? fields : { ...fields, [name]: mapped };
}
