import { requireCount } from '../contract/require.ts';

/** A store's clock as whole milliseconds since 1970: a clock may count fractions, what is stored does not. */
export function createClock(readClock: () => number = Date.now): () => number {
  return () => requireCount("The time by the session store's clock", Math.floor(readClock()));
}

/** Lets a timer not keep the process running, on platforms where timers do. */
export function inBackground<Timer>(timer: Timer): Timer {
  const { unref } = timer as { readonly unref?: unknown };
  if (typeof unref === 'function') unref.call(timer);
  return timer;
}

/** Waits in the background, without keeping the process alive. */
export function later(ms: number, work: () => void): ReturnType<typeof setTimeout> {
  return inBackground(setTimeout(work, ms));
}
