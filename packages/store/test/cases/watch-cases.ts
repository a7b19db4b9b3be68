import { expect, it } from 'vitest';
import { numbered, range } from './collect.ts';
import type { NewSubject } from './subject.ts';

/** The hints that somebody has appended. */
export function watchCases(newSubject: NewSubject): void {
  it('tells the new head by the time an append here has resolved', async () => {
    const { log, sessionId } = await newSubject();
    const heads: number[] = [];
    const stop = log.watch(sessionId, (head) => heads.push(head));
    await log.append(sessionId, numbered(1, 3));
    expect(heads).toEqual([3]);
    const { epoch } = await log.acquire(sessionId, { owner: 'a' });
    await log.append(sessionId, numbered(4, 4), { epoch });
    await log.append(sessionId, numbered(5, 5), { isInput: true });
    expect(heads).toEqual([3, 4, 5]);
    stop();
    stop();
    await log.append(sessionId, numbered(6, 6), { epoch });
    expect(heads).toEqual([3, 4, 5]);
  });

  it('tells ever higher heads, the last one included, however many append at once', async () => {
    const { log, sessionId } = await newSubject();
    const heads: number[] = [];
    const stop = log.watch(sessionId, (head) => heads.push(head));
    await Promise.all(range(1, 100).map((n) => log.append(sessionId, numbered(n, n))));
    stop();
    expect(heads.at(-1)).toBe(100);
    expect(heads).toEqual([...new Set(heads)].toSorted((left, right) => left - right));
  });

  it('tells each who watches until that one stops, though one function watches twice', async () => {
    const { log, sessionId } = await newSubject();
    let calls = 0;
    const count = (): number => ++calls;
    const stops = [log.watch(sessionId, count), log.watch(sessionId, count)];
    await log.append(sessionId, numbered(1, 1));
    expect(calls).toBe(2);
    stops[0]?.();
    await log.append(sessionId, numbered(2, 2));
    expect(calls).toBe(3);
    stops[1]?.();
  });

  it('tells nothing of other sessions, of what was refused, and of what changes no event', async () => {
    const { store, log, sessionId } = await newSubject();
    const heads: number[] = [];
    const stop = log.watch(sessionId, (head) => heads.push(head));
    const stranger = store.log(`${log.principal}-stranger`);
    await stranger.create({ id: sessionId, cwd: '/proj' });
    await stranger.append(sessionId, numbered(1, 1));
    await log.create({ id: 'second', cwd: '/proj', events: numbered(1, 2) });
    await expect(log.append(sessionId, numbered(1, 1), { epoch: 7 })).rejects.toMatchObject({ code: 'stale_owner' });
    await log.append(sessionId, []);
    await log.update(sessionId, { title: 'Title' });
    await log.release(sessionId, await log.acquire(sessionId, { owner: 'a' }));
    expect(heads).toEqual([]);
    stop();
  });

  it('goes on beside followers that come and go', async () => {
    const { log, sessionId } = await newSubject();
    const heads: number[] = [];
    const stop = log.watch(sessionId, (head) => heads.push(head));
    const iterator = log.follow(sessionId)[Symbol.asyncIterator]();
    const first = iterator.next();
    await log.append(sessionId, numbered(1, 1));
    expect((await first).value).toMatchObject({ seq: 1 });
    await iterator.return?.();
    await log.append(sessionId, numbered(2, 2));
    expect(heads).toEqual([1, 2]);
    stop();
  });

  it('may begin before the session is there, and goes on when its id is used again', async () => {
    const { log } = await newSubject();
    const heads: number[] = [];
    const stop = log.watch('later', (head) => heads.push(head));
    await log.create({ id: 'later', cwd: '/proj', events: numbered(1, 2) });
    await log.append('later', numbered(3, 3));
    await log.remove('later');
    await log.create({ id: 'later', cwd: '/proj' });
    await log.append('later', numbered(1, 1));
    expect(heads).toEqual([2, 3, 1]);
    stop();
  });
}
