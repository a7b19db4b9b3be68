/**
 * Copies a value as a trip through JSON text would, several times faster; throws where `JSON.stringify` would. Plain
 * objects and arrays are copied here; whatever has a say in its own JSON form (dates, `toJSON`) takes the real trip.
 */
export function cloneJson(value: unknown): unknown {
  return cloneMember(value, '');
}

/** `key` is where the value stands in its parent, which `toJSON` is told. */
function cloneMember(value: unknown, key: string | number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return cloneNumber(value);
    case 'object':
      return value === null ? null : cloneObject(value, key);
    default:
      return roundTrip(value, key);
  }
}

function cloneNumber(value: number): number | null {
  if (value === 0) return 0;
  return Number.isFinite(value) ? value : null;
}

function cloneObject(value: object, key: string | number): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  if ('toJSON' in value) return roundTrip(value, key);
  if (prototype === Object.prototype || prototype === null) return cloneFields(value as Record<string, unknown>);
  return Array.isArray(value) ? cloneItems(value) : roundTrip(value, key);
}

function cloneFields(fields: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    const value = cloneMember(fields[key], key);
    if (value === undefined) continue;
    if (key === '__proto__') defineField(copy, key, value);
    else copy[key] = value;
  }
  return copy;
}

/** Assigning to `__proto__` would change what the copy is, instead of giving it a field. */
function defineField(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
}

function cloneItems(items: readonly unknown[]): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < items.length; index += 1) copy.push(cloneMember(items[index], index) ?? null);
  return copy;
}

function roundTrip(value: unknown, key: string | number): unknown {
  const json = JSON.stringify({ [key]: value });
  const parsed: Record<string, unknown> = JSON.parse(json);
  return Object.hasOwn(parsed, key) ? parsed[key] : undefined;
}
