/** Keeps the values that were asked for last, up to a limit. */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

export function createCache<Value>(limit: number): Cache<Value> {
  const values = new Map<string, Value>();
  return {
    get: (key) => values.get(key),
    set(key, value) {
      if (limit <= 0) return;
      if (values.size >= limit) values.delete(values.keys().next().value ?? key);
      values.set(key, value);
    },
  };
}
