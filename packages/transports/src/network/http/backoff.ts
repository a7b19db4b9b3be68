/** The first pause before a dial is tried again; each further one may be twice as long. */
export const FIRST_PAUSE_MS = 250;
export const MAX_PAUSE_MS = 10_000;

/** The pause before a try: none before the first, then anything up to a bound that doubles, so that many clients spread out. */
export function pauseBefore(attempt: number, random: () => number = Math.random): number {
  return attempt === 0 ? 0 : random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
}

/** Waits; ends sooner when the signal aborts, without an error. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', settle);
      resolve();
    };
    const timer = setTimeout(settle, milliseconds);
    signal.addEventListener('abort', settle);
  });
}
