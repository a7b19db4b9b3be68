import { expect, it } from 'vitest';
import { SessionOwnedError, StaleOwnerError } from '../../src/index.ts';
import { numbered } from './collect.ts';
import type { NewSubject } from './subject.ts';

/** Where processes share a store, an owner without a name of its own is known by its process. */
export function processOwnerCases(newSubject: NewSubject): void {
  it('tells that an owner may still be at work while its process runs', async () => {
    const { log, sessionId, clock } = await newSubject();
    const isHeld = async (): Promise<boolean | undefined> => (await log.get(sessionId))?.isHeld;
    const { epoch } = await log.acquire(sessionId, { leaseMs: 1000 });
    clock.nowMs += 1000;
    // This very process, which may be late with its renewal.
    expect(await isHeld()).toBe(true);
    expect((await log.list()).sessions.map((session) => session.isHeld)).toEqual([true]);
    await log.release(sessionId, { epoch });
    expect(await isHeld()).toBe(false);
  });

  it.each([
    ['an hour later', 3_600_000],
    ['a year later', 365 * 24 * 3_600_000],
    ['a day earlier', -24 * 3_600_000],
  ])('refuses a second owner while the process of the first runs, though the clock says %s', async (_, jumpMs) => {
    const { log, sessionId, clock } = await newSubject();
    const { epoch } = await log.acquire(sessionId, { leaseMs: 1000 });
    clock.nowMs += jumpMs;
    await expect(log.acquire(sessionId)).rejects.toMatchObject({ code: 'session_owned' });
    await expect(log.acquire(sessionId, { owner: 'me' })).rejects.toThrow(SessionOwnedError);
    expect((await log.get(sessionId))?.isHeld).toBe(true);
    await log.append(sessionId, numbered(1, 1), { epoch });
    // Whoever was taken over meanwhile finds out before anything is written.
    const next = await log.acquire(sessionId, { owner: 'me', takeOver: true });
    await expect(log.append(sessionId, numbered(2, 2), { epoch })).rejects.toThrow(StaleOwnerError);
    await expect(log.renew(sessionId, { epoch })).rejects.toThrow(StaleOwnerError);
    expect(await log.append(sessionId, numbered(2, 2), { epoch: next.epoch })).toMatchObject({ last: 2 });
  });

  it('believes in a process of which only the number is known, but not for ever', async () => {
    const { log, sessionId, clock } = await newSubject();
    const { owner } = await log.acquire(sessionId);
    // As on systems that do not tell when a process was started.
    const numberOnly = owner.replace(/ \d* (\d+)\]$/, '  $1]');
    await log.acquire(sessionId, { owner: numberOnly, takeOver: true, leaseMs: 1000 });
    clock.nowMs += 60_000;
    await expect(log.acquire(sessionId)).rejects.toThrow(SessionOwnedError);
    clock.nowMs += 3_600_000;
    expect((await log.acquire(sessionId)).epoch).toBe(3);
  });

  it('names an owner after its process, and each one apart', async () => {
    const { log, sessionId } = await newSubject();
    const { epoch, owner } = await log.acquire(sessionId);
    expect(owner).toContain(`process ${process.pid} on `);
    await expect(log.acquire(sessionId)).rejects.toMatchObject({ code: 'session_owned' });
    await log.release(sessionId, { epoch });
    expect((await log.acquire(sessionId)).owner).not.toBe(owner);
  });

  it('names a process that owns a session in words for people', async () => {
    const { log, sessionId } = await newSubject();
    await log.acquire(sessionId);
    const refused = log.acquire(sessionId, { owner: 'me' });
    await expect(refused).rejects.toThrow(/is in use by "process \d+ on [^[\]]+" for another 15 s unless renewed/);
  });
}
