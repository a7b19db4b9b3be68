import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { mapBounded } from './map-bounded.ts';

const collect = async <Value>(values: AsyncIterable<Value>): Promise<Value[]> => {
  const found: Value[] = [];
  for await (const value of values) found.push(value);
  return found;
};

const deferred = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

describe('work for many items', () => {
  it('runs so many at a time and no more, and takes no item before there is a place for it', async () => {
    let [running, most, taken] = [0, 0, 0];
    function* items(): Generator<number> {
      for (taken = 1; taken <= 20; taken += 1) yield taken;
    }
    const results = mapBounded(
      items(),
      async (item) => {
        running += 1;
        most = Math.max(most, running);
        await sleep(item % 3);
        running -= 1;
        return item;
      },
      { concurrency: 3 },
    );
    const { value } = await results.next();
    await sleep(30);
    // Nobody takes the others: those that are done wait, and none begins in their place.
    expect(taken).toBeLessThanOrEqual(4);
    expect([value, ...(await collect(results))].toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(most).toBe(3);
  });

  it('gives results as they are done, or in order', async () => {
    const items = ['first', 'second', 'third', 'fourth'];
    // The first item is done only after all others.
    const createWork = (): ((item: string) => Promise<string>) => {
      let left = items.length - 1;
      const { promise: othersDone, resolve } = deferred();
      return async (item) => {
        if (item === 'first') await othersDone;
        else if (--left === 0) resolve();
        return item;
      };
    };
    const [, ...others] = items;
    expect(await collect(mapBounded(items, createWork(), { concurrency: 2 }))).toEqual([...others, 'first']);
    expect(await collect(mapBounded(items, createWork(), { concurrency: 2, isInOrder: true }))).toEqual(items);
  });

  it('gives results while the next item is still awaited', async () => {
    const { promise: waiting, resolve: release } = deferred();
    async function* items(): AsyncGenerator<number> {
      yield 1;
      await waiting;
      yield 2;
    }
    const results = mapBounded(items(), async (item) => item, { concurrency: 4 });
    expect(await results.next()).toEqual({ value: 1, done: false });
    release();
    expect(await collect(results)).toEqual([2]);
  });

  it('ends what runs when nobody wants the results any more', async () => {
    const ended: unknown[] = [];
    const work = (item: number, signal: AbortSignal): Promise<number> =>
      item === 0
        ? Promise.resolve(item)
        : new Promise((_, reject) =>
            signal.addEventListener('abort', () => {
              ended.push(item);
              reject(signal.reason);
            }),
          );
    for await (const _ of mapBounded([0, 1, 2, 3], work, { concurrency: 3 })) break;
    expect(ended.length).toBeGreaterThan(0);
  });

  it('throws what the work throws, and the reason of the signal, when the others have ended', async () => {
    const failing = mapBounded([1], async () => Promise.reject(new Error('no')), { concurrency: 1 });
    await expect(collect(failing)).rejects.toThrow('no');
    const stop = new AbortController();
    let hasEnded = false;
    const stopped = mapBounded(
      [1, 2],
      async (item) => {
        stop.abort(new Error('enough'));
        await sleep(5);
        hasEnded = true;
        return item;
      },
      { concurrency: 1, signal: stop.signal },
    );
    await expect(collect(stopped)).rejects.toThrow('enough');
    expect(hasEnded).toBe(true);
  });
});
