import { expect, it } from 'vitest';
import type { NewSubject } from '../session-log-cases.ts';
import { collect, numbered, range } from './collect.ts';

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
