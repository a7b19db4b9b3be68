import type { WatchChange } from '../../api/index.ts';

/** Proxies cut what is silent for a minute. */
const ALIVE_EVERY_MS = 25_000;

/** Changes as JSON lines. The first line tells that from now on nothing is missed; further ones like it, that the server is there. */
export async function* watchLines(
  changes: AsyncIterable<WatchChange>,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const waiting = changes[Symbol.asyncIterator]();
  let next = waiting.next();
  yield line({ type: 'alive' });
  while (!signal.aborted) {
    const change = await within(next, ALIVE_EVERY_MS);
    if (change === undefined) yield line({ type: 'alive' });
    else if (change.done) return;
    else {
      next = waiting.next();
      yield line(change.value);
    }
  }
}

/** What comes in time; undefined when nothing does. */
async function within<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function line(change: WatchChange): string {
  return `${JSON.stringify(change)}\n`;
}
