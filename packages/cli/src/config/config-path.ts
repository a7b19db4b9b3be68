import { isRecord } from './check-config.ts';

type Values = object;

/** `agents.gemini.args` -> its parts. */
export function parseKey(key: string): readonly string[] {
  return key.split('.');
}

export function getAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, name) => (isRecord(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined),
    value,
  );
}

/** The same with one value changed. */
export function setAt(values: Values, [name = '', ...rest]: readonly string[], value: unknown): Values {
  const inside = getAt(values, [name]);
  return { ...values, [name]: rest.length === 0 ? value : setAt(isRecord(inside) ? inside : {}, rest, value) };
}

/** The same without one value. */
export function unsetAt(values: Values, [name = '', ...rest]: readonly string[]): Values {
  const { [name]: inside, ...others } = values as Readonly<Record<string, unknown>>;
  return rest.length === 0 || !isRecord(inside) ? others : { ...others, [name]: unsetAt(inside, rest) };
}
