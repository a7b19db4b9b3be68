export interface MapBoundedOptions {
  /** How many run at a time. */
  readonly concurrency: number;
  /** Results come in the order of the items. Default: as they are done. */
  readonly isInOrder?: boolean;
  /** Ends it: items that have not begun do not begin, and the iteration throws the signal's reason when the others have ended. */
  readonly signal?: AbortSignal;
}

/** How many results may wait for a slow one before them, for each that runs. */
const WAITING_PER_RUNNING = 4;

/**
 * Does work for each item, several at a time, and gives the results. Items are taken only when there is a place for them, and no more begin while nobody takes the
 * results: memory does not grow with the number of items. `work` is given a signal that aborts when nobody wants its result any more.
 */
export async function* mapBounded<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  { concurrency, isInOrder = false, signal }: MapBoundedOptions,
): AsyncGenerator<Result, void, undefined> {
  const abandoned = new AbortController();
  const stop = signal ? AbortSignal.any([abandoned.signal, signal]) : abandoned.signal;
  const iterator = iterate(items);
  const running = new Map<number, Promise<void>>();
  const done = new Map<number, Result>();
  const maxHeld = isInOrder ? concurrency * (1 + WAITING_PER_RUNNING) : concurrency;
  let [started, given, isExhausted] = [0, 0, false];
  let failure: { readonly error: unknown } | undefined;
  /** The next item, where one was asked for: it may take its time, and results are given meanwhile. */
  let pulling: Promise<void> | undefined;
  const begin = (item: Item): void => {
    const index = started++;
    const promise = work(item, stop)
      .then(
        (result) => void done.set(index, result),
        (error: unknown) => {
          failure ??= { error };
        },
      )
      .finally(() => running.delete(index));
    running.set(index, promise);
  };
  const pull = async (): Promise<void> => {
    try {
      const { value, done: isEnd } = await iterator.next();
      if (isEnd) isExhausted = true;
      else if (!stop.aborted) begin(value);
    } catch (error) {
      failure ??= { error };
    } finally {
      pulling = undefined;
    }
  };
  const aborted = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  try {
    for (;;) {
      const isOver = isExhausted || failure !== undefined || stop.aborted;
      if (!isOver && running.size < concurrency && running.size + done.size < maxHeld) pulling ??= pull();
      const next = isInOrder ? given : (done.keys().next().value ?? -1);
      const result = done.get(next);
      if (result !== undefined) {
        done.delete(next);
        given += 1;
        yield result;
        continue;
      }
      if (isOver && running.size === 0) break;
      await Promise.race([...running.values(), ...(pulling && !isOver ? [pulling] : []), ...(isOver ? [] : [aborted])]);
    }
    signal?.throwIfAborted();
    if (failure) throw failure.error;
  } finally {
    abandoned.abort();
    await Promise.all(running.values());
    // A source that waits for more, such as a terminal, need not be waited for.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

function iterate<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncIterator<Item> | Iterator<Item> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
