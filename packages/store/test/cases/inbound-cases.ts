import { expect, it } from 'vitest';
import { collect, numbered, range } from './collect.ts';
import type { NewSubject } from './subject.ts';

export function inboundCases(newSubject: NewSubject): void {
  it('appends once per key and gives a repetition the recorded outcome', async () => {
    const { log, sessionId } = await newSubject();
    const once = { key: 'message-1', outcome: { accepted: true } };
    expect(await log.append(sessionId, numbered(1, 2), { once })).toEqual({
      first: 1,
      last: 2,
      inbound: { ...once, isRepeated: false },
    });
    expect(await log.append(sessionId, numbered(8, 9), { once: { key: 'message-1', outcome: 'other' } })).toEqual({
      first: 3,
      last: 2,
      inbound: { ...once, isRepeated: true },
    });
    expect(await log.head(sessionId)).toBe(2);
    expect(await log.inbound(sessionId, 'message-1')).toEqual(once);
    expect(await log.inbound(sessionId, 'message-2')).toBeUndefined();
  });

  it('lets exactly one of many simultaneous repetitions through', async () => {
    const { log, sessionId } = await newSubject();
    const appends = range(1, 50).map((n) => log.append(sessionId, numbered(n, n), { once: { key: 'prompt' } }));
    const results = await Promise.all(appends);
    expect(results.filter(({ inbound }) => inbound?.isRepeated === false)).toHaveLength(1);
    expect(await collect(log.read(sessionId))).toHaveLength(1);
  });

  it('settles a key together with later events', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 1), { once: { key: 'prompt' } });
    expect(await log.inbound(sessionId, 'prompt')).toEqual({ key: 'prompt', outcome: undefined });
    await log.append(sessionId, numbered(2, 2), { settle: { key: 'prompt', outcome: { stopReason: 'end_turn' } } });
    const repeated = await log.append(sessionId, numbered(3, 3), { once: { key: 'prompt' } });
    expect(repeated.inbound).toEqual({ key: 'prompt', outcome: { stopReason: 'end_turn' }, isRepeated: true });
    expect(await log.head(sessionId)).toBe(2);
  });

  it('records a key without events', async () => {
    const { log, sessionId } = await newSubject();
    const { first, last, inbound } = await log.append(sessionId, [], { once: { key: 'ping', outcome: null } });
    expect([first, last, inbound]).toEqual([1, 0, { key: 'ping', outcome: null, isRepeated: false }]);
    expect(await log.inbound(sessionId, 'ping')).toEqual({ key: 'ping', outcome: null });
  });

  it('records no key when the append is refused', async () => {
    const { log, sessionId } = await newSubject();
    const { epoch } = await log.acquire(sessionId, { owner: 'first' });
    const stale = log.append(sessionId, numbered(1, 1), { once: { key: 'k' }, epoch: epoch + 1 });
    await expect(stale).rejects.toMatchObject({ code: 'stale_owner' });
    expect(await log.inbound(sessionId, 'k')).toBeUndefined();
  });

  it('keeps the keys of sessions apart', async () => {
    const { log, sessionId } = await newSubject();
    await log.create({ id: 'second', cwd: '/proj' });
    await log.append(sessionId, numbered(1, 1), { once: { key: 'k' } });
    const other = await log.append('second', numbered(1, 1), { once: { key: 'k' } });
    expect(other.inbound?.isRepeated).toBe(false);
  });

  it('gives the first and the repetition the same outcome, as it was recorded', async () => {
    const { log, sessionId } = await newSubject();
    const outcome = { at: new Date(0), nothing: undefined, minusZero: -0 };
    const first = await log.append(sessionId, [], { once: { key: 'k', outcome } });
    expect(first.inbound).toEqual({
      key: 'k',
      outcome: { at: '1970-01-01T00:00:00.000Z', minusZero: 0 },
      isRepeated: false,
    });
    const repeated = await log.append(sessionId, [], { once: { key: 'k' } });
    expect(repeated.inbound).toEqual({ ...first.inbound, isRepeated: true });

    const both = { once: { key: 'both', outcome: 1 }, settle: { key: 'both', outcome: 2 } };
    expect((await log.append(sessionId, [], both)).inbound).toEqual({ key: 'both', outcome: 2, isRepeated: false });
    expect(await log.inbound(sessionId, 'both')).toEqual({ key: 'both', outcome: 2 });
  });
}
