import type { Property, Shape } from './model.ts';
import type { Naming } from './naming.ts';
import { isSimple, simpleFailure, wording } from './simple-checks.ts';
import { access, literal, quote } from './text.ts';

/**
 * Prints the lines that check one property of the object `v`. `o` is `v` until something must be repaired, then a
 * copy of it. Empty when any value is fine.
 */
export function printProperty(property: Property, owner: string, naming: Naming): string {
  const { shape, isNullable } = unwrap(property.shape, naming);
  const field: Field = { property, shape, isNullable, value: access('v', property.name), key: quote(property.name) };
  if (shape.kind === 'unknown') return property.isRequired ? printRequiredUnknown(field) : '';
  if (isSimple(shape)) return printSimple(field);
  return printComplex(field, naming.call(shape, field.value, `${owner}.${property.name}`), naming.repairs(shape));
}

interface Field {
  readonly property: Property;
  readonly shape: Shape;
  readonly isNullable: boolean;
  readonly value: string;
  readonly key: string;
}

function printRequiredUnknown({ value, key }: Field): string {
  return `if (${value} === undefined) return expected('a value', ${value}, ${key});`;
}

function printSimple(field: Field): string {
  const { property, shape, value, key } = field;
  const failure = simpleFailure(shape, value);
  if (property.isNullEmpty || (property.defaultValue !== undefined && !property.isLenient)) {
    throw new Error(`${property.name}: unsupported rule for a simple property`);
  }
  if (property.defaultValue !== undefined) return `if (${failure}) ${put(field, literal(property.defaultValue))}`;
  const condition = `if (${presence(field)}${failure})`;
  if (property.isLenient) return `${condition} o = drop(o, v, ${key});`;
  return `${condition} return expected(${quote(expectation(field))}, ${value}, ${key});`;
}

function printComplex(field: Field, call: string, repairs: boolean): string {
  const { property, value, key } = field;
  const changed = `(x = ${call}) !== ${value}`;
  const strict = repairs ? `{ if (x === INVALID) return under(${key}); ${put(field, 'x')} }` : `return under(${key});`;
  const failed = repairs ? changed : `${call} === INVALID`;

  if (property.defaultValue !== undefined) {
    const value_ = literal(property.defaultValue);
    if (property.isLenient) return `if (${changed}) ${put(field, `x === INVALID ? ${value_} : x`)}`;
    return `if (${value} === undefined) ${put(field, value_)}\nelse if (${failed}) ${strict}`;
  }
  if (property.isLenient) return printLenient(field, changed, failed, repairs);
  if (property.isNullEmpty) {
    const present = property.isRequired ? '' : `${value} !== undefined && `;
    return `if (${value} === null) ${put(field, emptyValue(field))}\nelse if (${present}${failed}) ${strict}`;
  }
  return `if (${presence(field)}${failed}) ${strict}`;
}

/** A malformed value becomes an empty list where a list must be, and is left out where it may be absent. */
function printLenient(field: Field, changed: string, failed: string, repairs: boolean): string {
  const { property, shape, isNullable, value, key } = field;
  const condition = `if (${presence(field)}`;
  if (shape.kind === 'array' && !isNullable) {
    const repair = `${condition}${changed}) ${put(field, 'x === INVALID ? [] : x')}`;
    return property.isRequired
      ? `if (${value} === undefined) return expected('array', ${value}, ${key});\n${repair}`
      : repair;
  }
  if (property.isRequired) throw new Error(`${property.name}: a required lenient property without an empty value`);
  if (!repairs) return `${condition}${failed}) o = drop(o, v, ${key});`;
  return `${condition}${changed}) o = x === INVALID ? drop(o, v, ${key}) : put(o, v, ${key}, x);`;
}

/** The part of a condition that lets an absent value pass. */
function presence({ property, isNullable, value }: Field): string {
  if (property.isRequired) return isNullable ? `${value} !== null && ` : '';
  return isNullable ? `${value} != null && ` : `${value} !== undefined && `;
}

function expectation({ shape, isNullable }: Field): string {
  return isNullable ? `${wording(shape)} or null` : wording(shape);
}

function emptyValue({ shape, property }: Field): string {
  if (shape.kind === 'array') return '[]';
  if (shape.kind === 'map') return '{}';
  throw new Error(`${property.name}: null as empty for ${shape.kind}`);
}

function put({ key }: Field, value: string): string {
  return `o = put(o, v, ${key}, ${value});`;
}

function unwrap(shape: Shape, naming: Naming): { shape: Shape; isNullable: boolean } {
  const resolved = naming.resolveSimple(shape);
  if (resolved.kind !== 'nullable') return { shape: resolved, isNullable: false };
  return { shape: naming.resolveSimple(resolved.inner), isNullable: true };
}
