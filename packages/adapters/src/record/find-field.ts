type Values = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The path of the first of some fields that fits, such as `$.delta.text`; undefined when there is none. */
export function findField(
  value: unknown,
  paths: readonly string[],
  fits: (found: unknown) => boolean = (found) => found !== undefined && found !== null,
): string | undefined {
  const found = paths.find((path) => fits(path.split('.').reduce<unknown>(step, value)));
  return found === undefined ? undefined : `$.${found}`;
}

/** The path of a field by a pattern of its name, at the top or one step inside. */
export function findByName(value: unknown, pattern: RegExp): string | undefined {
  if (!isObject(value)) return undefined;
  const at = (values: Values): string | undefined =>
    Object.keys(values).find((name) => pattern.test(name) && typeof values[name] === 'string' && values[name] !== '');
  const top = at(value);
  if (top !== undefined) return `$.${top}`;
  for (const [name, inside] of Object.entries(value)) {
    const found = isObject(inside) ? at(inside) : undefined;
    if (found !== undefined) return `$.${name}.${found}`;
  }
  return undefined;
}

function step(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
