import { expect, it } from 'vitest';
import { SessionOwnedError, StaleOwnerError } from '../../src/index.ts';
import { collect, numbered, range } from './collect.ts';
import type { NewSubject } from './subject.ts';

export function ownershipCases(newSubject: NewSubject): void {
  it('gives a lease with an epoch that grows with every owner', async () => {
    const { log, sessionId, clock } = await newSubject();
    const first = await log.acquire(sessionId, { owner: 'a', leaseMs: 1000 });
    expect(first).toEqual({ owner: 'a', epoch: 1, leaseUntilMs: clock.nowMs + 1000 });
    expect((await log.get(sessionId))?.lease).toEqual(first);
    expect(await log.release(sessionId, first)).toBe(true);
    expect((await log.get(sessionId))?.lease).toBeNull();
    expect((await log.acquire(sessionId, { owner: 'b' })).epoch).toBe(2);
  });

  it('refuses a second owner until the lease has run out', async () => {
    const { log, sessionId, clock } = await newSubject();
    await log.acquire(sessionId, { owner: 'a', leaseMs: 1000 });
    clock.nowMs += 999;
    await expect(log.acquire(sessionId, { owner: 'b' })).rejects.toThrow(SessionOwnedError);
    clock.nowMs += 1;
    expect((await log.acquire(sessionId, { owner: 'b' })).epoch).toBe(2);
  });

  it('tells whether the owner may still be at work', async () => {
    const { log, sessionId, clock } = await newSubject();
    const isHeld = async (): Promise<boolean | undefined> => (await log.get(sessionId))?.isHeld;
    await log.acquire(sessionId, { owner: 'elsewhere', leaseMs: 1000 });
    expect(await isHeld()).toBe(true);
    clock.nowMs += 1000;
    expect(await isHeld()).toBe(false);
    const { epoch } = await log.acquire(sessionId, { owner: 'here', leaseMs: 1000 });
    expect((await log.list()).sessions.map((session) => session.isHeld)).toEqual([true]);
    expect((await log.update(sessionId, { title: 'Held' })).isHeld).toBe(true);
    await log.release(sessionId, { epoch });
    expect(await isHeld()).toBe(false);
  });

  it('gives the session to exactly one of many who want it at once', async () => {
    const { log, sessionId } = await newSubject();
    const attempts = await Promise.allSettled(range(1, 20).map((n) => log.acquire(sessionId, { owner: `owner ${n}` })));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('lets the same owner in again, and a person take over', async () => {
    const { log, sessionId } = await newSubject();
    await log.acquire(sessionId, { owner: 'a' });
    expect((await log.acquire(sessionId, { owner: 'a' })).epoch).toBe(2);
    expect((await log.acquire(sessionId, { owner: 'b', takeOver: true })).epoch).toBe(3);
    await expect(log.renew(sessionId, { epoch: 2 })).rejects.toThrow(StaleOwnerError);
  });

  it('keeps owners without a name apart', async () => {
    const { log, sessionId } = await newSubject();
    const { epoch, owner } = await log.acquire(sessionId);
    await expect(log.acquire(sessionId)).rejects.toMatchObject({ code: 'session_owned' });
    await log.release(sessionId, { epoch });
    expect((await log.acquire(sessionId)).owner).not.toBe(owner);
  });

  it('takes appends only with the current epoch', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 1));
    await expect(log.append(sessionId, numbered(2, 2), { epoch: 1 })).rejects.toThrow(StaleOwnerError);
    const { epoch } = await log.acquire(sessionId, { owner: 'a' });
    await log.append(sessionId, numbered(2, 2), { epoch });
    await expect(log.append(sessionId, numbered(3, 3))).rejects.toThrow(StaleOwnerError);

    const next = await log.acquire(sessionId, { owner: 'b', takeOver: true });
    await expect(log.append(sessionId, numbered(3, 3), { epoch })).rejects.toMatchObject({
      code: 'stale_owner',
      sessionId,
    });
    await log.append(sessionId, numbered(3, 3), { epoch: next.epoch });
    await log.release(sessionId, next);
    await expect(log.append(sessionId, numbered(4, 4), { epoch: next.epoch })).rejects.toThrow(StaleOwnerError);
    await log.append(sessionId, numbered(4, 4));

    const events = await collect(log.read(sessionId));
    expect(events.map(({ body, epoch }) => [body, epoch])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
  });

  it('leaves the others of a moment alone when one append is stale', async () => {
    const { log, sessionId } = await newSubject();
    await log.create({ id: 'second', cwd: '/proj' });
    const results = await Promise.allSettled([
      log.append(sessionId, numbered(1, 1)),
      log.append(sessionId, numbered(2, 2), { epoch: 7 }),
      log.append('second', numbered(1, 1)),
      log.append(sessionId, numbered(2, 2)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect((await collect(log.read(sessionId))).map(({ body }) => body)).toEqual([1, 2]);
  });

  it('keeps a lease by renewing it, even late, while nobody else came', async () => {
    const { log, sessionId, clock } = await newSubject();
    const { epoch } = await log.acquire(sessionId, { owner: 'a', leaseMs: 1000 });
    clock.nowMs += 5000;
    const renewed = await log.renew(sessionId, { epoch, leaseMs: 1000 });
    expect(renewed).toEqual({ owner: 'a', epoch, leaseUntilMs: clock.nowMs + 1000 });
    await expect(log.acquire(sessionId, { owner: 'b' })).rejects.toThrow(SessionOwnedError);
  });

  it('releases only what it still owns', async () => {
    const { log, sessionId } = await newSubject();
    const first = await log.acquire(sessionId, { owner: 'a' });
    const second = await log.acquire(sessionId, { owner: 'b', takeOver: true });
    expect(await log.release(sessionId, first)).toBe(false);
    expect((await log.get(sessionId))?.lease).toEqual(second);
    expect(await log.release(sessionId, second)).toBe(true);
    expect(await log.release(sessionId, second)).toBe(false);
  });

  it.each([0, -5, 1.5, 3_600_001, Number.NaN, Number.MAX_SAFE_INTEGER])('refuses a lease of %d ms', async (leaseMs) => {
    const { log, sessionId } = await newSubject();
    await expect(log.acquire(sessionId, { owner: 'a', leaseMs })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('does not lock a session for long when a wrong clock gave the lease', async () => {
    const { log, sessionId, clock } = await newSubject();
    const rightMs = clock.nowMs;
    clock.nowMs += 365 * 24 * 3_600_000;
    const { epoch } = await log.acquire(sessionId, { owner: 'a' });
    clock.nowMs = rightMs;
    expect(await log.get(sessionId)).toMatchObject({ isHeld: false });
    // The owner may still write, until it is told otherwise.
    await log.append(sessionId, numbered(1, 1), { epoch });
    const next = await log.acquire(sessionId, { owner: 'b' });
    await expect(log.append(sessionId, numbered(2, 2), { epoch })).rejects.toThrow(StaleOwnerError);
    await expect(log.acquire(sessionId, { owner: 'c' })).rejects.toThrow(SessionOwnedError);
    await log.append(sessionId, numbered(2, 2), { epoch: next.epoch });
  });

  it.each([-1, 0.5, Number.NaN])('refuses %d as an epoch', async (epoch) => {
    const { log, sessionId } = await newSubject();
    const refusal = { code: 'invalid_input' };
    await expect(log.append(sessionId, [], { epoch })).rejects.toMatchObject(refusal);
    await expect(log.renew(sessionId, { epoch })).rejects.toMatchObject(refusal);
    await expect(log.release(sessionId, { epoch })).rejects.toMatchObject(refusal);
  });
}
