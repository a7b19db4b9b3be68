import { isRecord } from '@parley/jsonrpc/internal';

type Values = Readonly<Record<string, unknown>>;

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
  if (!isRecord(value)) return undefined;
  const at = (values: Values): string | undefined =>
    Object.keys(values).find((name) => pattern.test(name) && typeof values[name] === 'string' && values[name] !== '');
  const top = at(value);
  if (top !== undefined) return `$.${top}`;
  for (const [name, inside] of Object.entries(value)) {
    const found = isRecord(inside) ? at(inside) : undefined;
    if (found !== undefined) return `$.${name}.${found}`;
  }
  return undefined;
}

function step(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
