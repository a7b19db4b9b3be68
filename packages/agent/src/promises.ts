/** A promise that is fulfilled from outside. */
export interface Deferred<Value = void> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
}

export function createDeferred<Value = void>(): Deferred<Value> {
  let resolve = (_value: Value): void => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
