import { requireCount } from '../contract/require.ts';

/** A store's clock as whole milliseconds since 1970: a clock may count fractions, what is stored does not. */
export function createClock(readClock: () => number = Date.now): () => number {
  return () => requireCount("The time by the session store's clock", Math.floor(readClock()));
}
