/** How often we look whether anybody still reads what we write. */
const LOOK_EVERY_MS = 2000;

/**
 * Tells when the reader of stdout has gone although we write nothing, as in a long command. Writing nothing at all to a
 * socket, which is what Node gives its children, fails once the other side is closed; on a plain pipe it always succeeds,
 * and only the next real write tells. Returns how to stop looking.
 */
export function watchReader(onGone: (error: Error) => void): () => void {
  const timer = setInterval(() => {
    try {
      process.getBuiltinModule('node:fs').writeSync(STDOUT, NOTHING);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') return;
      clearInterval(timer);
      onGone(error as Error);
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const STDOUT = 1;
const NOTHING = new Uint8Array(0);
