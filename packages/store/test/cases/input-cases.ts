import { expect, it } from 'vitest';
import { StaleOwnerError } from '../../src/index.ts';
import { collect, numbered, range, take } from './collect.ts';
import type { NewSubject } from './subject.ts';

/** What anybody may append, because it is asked of the owner. */
export function inputCases(newSubject: NewSubject): void {
  it('takes an input while another owns the session, with the epoch of that owner', async () => {
    const { log, sessionId } = await newSubject();
    const { epoch } = await log.acquire(sessionId, { owner: 'a' });
    await log.append(sessionId, numbered(1, 1), { epoch });
    expect(await log.append(sessionId, numbered(2, 3), { isInput: true })).toEqual({ first: 2, last: 3 });
    await expect(log.append(sessionId, numbered(4, 4))).rejects.toThrow(StaleOwnerError);
    await expect(log.append(sessionId, numbered(4, 4), { isInput: false })).rejects.toThrow(StaleOwnerError);
    await log.append(sessionId, numbered(4, 4), { epoch });
    const events = await collect(log.read(sessionId));
    expect(events.map(({ seq, epoch: written, body }) => [seq, written, body])).toEqual(
      range(1, 4).map((n) => [n, epoch, n]),
    );
  });

  it('takes an input when nobody owns the session, before and after anybody did', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 1), { isInput: true });
    await log.release(sessionId, await log.acquire(sessionId, { owner: 'a' }));
    await log.append(sessionId, numbered(2, 2), { isInput: true });
    expect((await collect(log.read(sessionId))).map(({ epoch, body }) => [epoch, body])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('leaves the lease to the owner, and counts as activity', async () => {
    const { log, sessionId, clock } = await newSubject();
    const lease = await log.acquire(sessionId, { owner: 'a', leaseMs: 1000 });
    clock.nowMs += 5;
    await log.append(sessionId, numbered(1, 1), { isInput: true });
    expect(await log.get(sessionId)).toMatchObject({ lease, isHeld: true, updatedAtMs: clock.nowMs, head: 1 });
  });

  it('takes an input with the same key once', async () => {
    const { log, sessionId } = await newSubject();
    await log.acquire(sessionId, { owner: 'a' });
    const prompt = { isInput: true, once: { key: 'prompt-1' } };
    expect(await log.append(sessionId, numbered(1, 1), prompt)).toMatchObject({ inbound: { isRepeated: false } });
    expect(await log.append(sessionId, numbered(1, 1), prompt)).toMatchObject({ inbound: { isRepeated: true } });
    expect(await log.head(sessionId)).toBe(1);
  });

  it('keeps inputs and what the owner writes in the order they were appended, and shows both to followers', async () => {
    const { log, sessionId } = await newSubject();
    const { epoch } = await log.acquire(sessionId, { owner: 'a' });
    const following = take(log.follow(sessionId), 60);
    const options = [{ epoch }, { isInput: true }];
    await Promise.all(range(1, 60).map((n) => log.append(sessionId, numbered(n, n), options[n % 2])));
    expect((await following).map(({ seq, body }) => [seq, body])).toEqual(range(1, 60).map((n) => [n, n]));
  });

  it('refuses an input with an epoch, and one that is too large or for no session', async () => {
    const { log, sessionId } = await newSubject();
    const { epoch } = await log.acquire(sessionId, { owner: 'a' });
    const both = log.append(sessionId, numbered(1, 1), { isInput: true, epoch });
    await expect(both).rejects.toMatchObject({ code: 'invalid_input' });
    const large = [{ kind: 'large', body: 'x'.repeat(64 * 1024) }];
    await expect(log.append(sessionId, large, { isInput: true })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(log.append('nobody', numbered(1, 1), { isInput: true })).rejects.toMatchObject({
      code: 'session_not_found',
    });
    expect(await log.head(sessionId)).toBe(0);
  });
}
