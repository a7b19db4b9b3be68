import { isRecord as isObject } from '@parley/jsonrpc/internal';
import { expected, INVALID, under } from './problem.ts';

export { isObject };

/** A JSON object whose fields are not checked yet. */
export type Fields = Record<string, unknown>;

/** Returns the value, a repaired copy of it, or `INVALID`. Never changes what it is given and never throws. */
export type Check = (value: unknown) => unknown;

export function isText(value: unknown, minLength: number): boolean {
  return typeof value === 'string' && value.length >= minLength;
}

/** A JSON number. `1e999` parses to Infinity, which no JSON text can write back. */
export function isNumber(value: unknown, minimum: number = -Infinity, maximum: number = Infinity): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= minimum && value <= maximum;
}

export function isInteger(value: unknown, minimum: number, maximum: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}

/** A 64-bit integer. It may be larger than a number holds exactly; JSON.parse has rounded it by then. */
export function isWideInteger(value: unknown, minimum: number = -Infinity): boolean {
  return Number.isInteger(value) && (value as number) >= minimum;
}

export function string(value: unknown): unknown {
  return typeof value === 'string' ? value : expected('string', value);
}

export function boolean(value: unknown): unknown {
  return typeof value === 'boolean' ? value : expected('boolean', value);
}

export function number(value: unknown): unknown {
  return isNumber(value) ? value : expected('number', value);
}

export function object(value: unknown): unknown {
  return isObject(value) ? value : expected('object', value);
}

export function unknown(value: unknown): unknown {
  return value;
}

/** A URI, without the white space that a URL parser would not see. */
export function uri(value: unknown): unknown {
  if (typeof value !== 'string') return expected('URI', value);
  const trimmed = value.trim();
  return URL.canParse(trimmed) ? trimmed.replaceAll(/[\t\n\r]/g, '') : expected('URI', value);
}

/** A list in which every item must fit. */
export function list(value: unknown, check: Check, minItems: number = 0): unknown {
  if (!Array.isArray(value)) return expected('array', value);
  if (value.length < minItems) return expected('non-empty array', value);
  let copy: unknown[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const item = check(value[index]);
    if (item === value[index]) continue;
    if (item === INVALID) return under(index);
    copy ??= value.slice();
    copy[index] = item;
  }
  return copy ?? value;
}

/** A list from which items that do not fit are left out. */
export function skipping(value: unknown, check: Check): unknown {
  if (!Array.isArray(value)) return expected('array', value);
  let copy: unknown[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const item = check(value[index]);
    if (item !== value[index] && copy === undefined) copy = value.slice(0, index);
    if (item !== INVALID) copy?.push(item);
  }
  return copy ?? value;
}

/** An object whose keys are data. `__proto__` is not a key that data should have; it is left out. */
export function map(value: unknown, check: Check): unknown {
  if (!isObject(value)) return expected('object', value);
  let result = value;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') {
      result = drop(result, value, key);
      continue;
    }
    const item = check(value[key]);
    if (item === value[key]) continue;
    if (item === INVALID) return under(key);
    result = put(result, value, key, item);
  }
  return result;
}

/** Sets a field of the copy, which is made first when `current` still is the original. */
export function put(current: Fields, original: Fields, key: string, value: unknown): Fields {
  const copy = current === original ? { ...original } : current;
  copy[key] = value;
  return copy;
}

/** Removes a field from the copy, which is made first when `current` still is the original. */
export function drop(current: Fields, original: Fields, key: string): Fields {
  const copy = current === original ? { ...original } : current;
  delete copy[key];
  return copy;
}
