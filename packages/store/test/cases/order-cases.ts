import { expect, it } from 'vitest';
import type { AppendOptions } from '../../src/index.ts';
import { collect, numbered, range } from './collect.ts';
import type { NewSubject } from './subject.ts';

/** What holds for calls that are made without waiting for the ones before. */
export function orderCases(newSubject: NewSubject): void {
  it('does reads and writes of a session in the order they were asked', async () => {
    const { log, sessionId } = await newSubject();
    const asked = [
      log.head(sessionId),
      log.inbound(sessionId, 'k'),
      log.append(sessionId, numbered(1, 2), { once: { key: 'k', outcome: 'done' } }).then(({ last }) => last),
      log.head(sessionId),
      log.inbound(sessionId, 'k'),
      log.append(sessionId, numbered(3, 3)).then(({ last }) => last),
      log.get(sessionId).then((session) => session?.head),
      log.remove(sessionId),
      log.get(sessionId),
    ];
    const found = { key: 'k', outcome: 'done' };
    expect(await Promise.all(asked)).toEqual([0, undefined, 2, 2, found, 3, 3, true, undefined]);
  });

  it('keeps the order of each of many sessions that are used at once, owners and inputs among it', async () => {
    const { log } = await newSubject();
    const results = range(1, 12).map((n) => {
      const id = `busy-${n}`;
      const append = (body: number, options: AppendOptions): Promise<number | string> =>
        log.append(id, numbered(body, body), options).then(
          ({ last }) => last,
          ({ code }) => code as string,
        );
      return Promise.all([
        log.create({ id, cwd: '/proj' }).then(({ head }) => head),
        log.acquire(id, { owner: 'a' }).then(({ epoch }) => epoch),
        append(1, { epoch: 1 }),
        append(2, {}),
        append(2, { isInput: true }),
        log.acquire(id, { owner: 'b', takeOver: true }).then(({ epoch }) => epoch),
        append(3, { epoch: 1 }),
        append(3, { epoch: 2 }),
        collect(log.read(id)).then((events) => events.map(({ body }) => body)),
        log.release(id, { epoch: 2 }),
        append(4, {}),
        log.head(id),
      ]);
    });
    for (const result of await Promise.all(results)) {
      expect(result).toEqual([0, 1, 1, 'stale_owner', 2, 2, 'stale_owner', 3, [1, 2, 3], true, 4, 4]);
    }
  });

  it('lists sessions as they were when it was asked', async () => {
    const { log, sessionId } = await newSubject();
    const ids = async (): Promise<string[]> => (await log.list()).sessions.map(({ id }) => id).toSorted();
    const asked = [
      ids(),
      log.create({ id: 'new', cwd: '/proj' }),
      ids(),
      log.fork('new', { id: 'newer' }),
      ids(),
      log.remove('new'),
      ids(),
    ];
    const lists = (await Promise.all(asked)).filter((result) => Array.isArray(result));
    expect(lists).toEqual([[sessionId], ['new', sessionId], ['new', 'newer', sessionId], ['newer', sessionId]]);
  });

  it('reads what was there when it was asked', async () => {
    const { log, sessionId } = await newSubject();
    const readings = range(0, 5).map((n) => {
      const reading = collect(log.read(sessionId));
      return [reading, log.append(sessionId, numbered(n, n))] as const;
    });
    for (const [index, [reading]] of readings.entries()) expect(await reading).toHaveLength(index);
  });
}
