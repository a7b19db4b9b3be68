import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchFile } from './watch-file.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('asks at least every 200 ms though the times of the file never tell of a change', () => {
  const askedAt: number[] = [];
  const begun = Date.now();
  const stop = watchFile({ path: '/nowhere/sessions.db', intervalMs: 50, ask: () => askedAt.push(Date.now() - begun) });
  vi.advanceTimersByTime(2000);
  stop();
  const gaps = askedAt.map((atMs, index) => atMs - (askedAt[index - 1] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(200);
  expect(askedAt.at(-1)).toBeGreaterThanOrEqual(1800);
  const { length } = askedAt;
  vi.advanceTimersByTime(2000);
  expect(askedAt).toHaveLength(length);
});
