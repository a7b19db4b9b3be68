/**
 * Lets a caller forget a promise. What a turn asked and no longer waits for fails when the turn ends, and that must not
 * end the process.
 */
export function unawaited<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
