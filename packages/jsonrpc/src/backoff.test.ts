import { describe, expect, it } from 'vitest';
import { Backoff, backoffMs, pause } from './internal.ts';

describe('a back-off', () => {
  it('doubles with each failure, up to its limit', () => {
    const pauses = [1, 2, 3, 4, 5].map((failures) => backoffMs(failures, { firstMs: 100, maxMs: 500 }));
    expect(pauses).toEqual([100, 200, 400, 500, 500]);
  });

  it('takes a random share of its bound', () => {
    const options = { firstMs: 100, spread: [0.5, 1.5] as const };
    expect(backoffMs(2, { ...options, random: () => 0 })).toBe(100);
    expect(backoffMs(2, { ...options, random: () => 0.5 })).toBe(200);
    expect(backoffMs(2, { ...options, random: () => 1 })).toBe(300);
  });

  it('begins again after a success', () => {
    const backoff = new Backoff({ firstMs: 10 });
    expect([backoff.next(), backoff.next()]).toEqual([10, 20]);
    backoff.reset();
    expect(backoff.next()).toBe(10);
  });

  it('stops pausing when it is aborted', async () => {
    const controller = new AbortController();
    const paused = pause(1_000_000, controller.signal);
    controller.abort();
    await expect(paused).resolves.toBeUndefined();
    await expect(new Backoff({ firstMs: 1_000_000 }).pause(controller.signal)).resolves.toBeUndefined();
  });
});
