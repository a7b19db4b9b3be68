/**
 * Lets a caller forget a promise. A request that a turn no longer waits for fails when the turn ends, and this failure must
 * not end the process.
 */
export function unawaited<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
