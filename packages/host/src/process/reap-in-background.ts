import { reapStrays } from './launch/reap-strays.ts';

/**
 * Ends agents that an earlier run could not end, as after a power cut. Nobody waits for it, except at the end: what has
 * not ended by then, though it was asked to, is killed before we leave.
 */
export function reapInBackground(): AsyncDisposable {
  const leaving = new AbortController();
  const reaping = reapStrays({ signal: leaving.signal }).catch(() => []);
  return {
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await reaping;
    },
  };
}
