/** A promise that is fulfilled from outside. */
export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

export function createDeferred(): Deferred {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
