import type { PhaseEvent } from '@parley/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PhaseWatch } from './phase-watch.ts';

const EVENT: PhaseEvent = { phase: 'initialize', status: 'waiting', agent: 'x', elapsedMs: 1000, deadlineMs: 60_000 };

describe('what is waited for', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('has a time that goes on between two reports', () => {
    const watch = new PhaseWatch();
    watch.follow(EVENT, false);
    expect(watch.words).toBe('Waiting for the first answer of x 1s');
    vi.advanceTimersByTime(2000);
    expect(watch.words).toBe('Waiting for the first answer of x 3s');
  });

  it('stays from one phase to the next, so that a prompt that is written then can wait too', () => {
    const watch = new PhaseWatch();
    watch.follow(EVENT, false);
    watch.follow({ ...EVENT, status: 'done' }, false);
    expect(watch.words).toBeDefined();
    watch.follow({ ...EVENT, status: 'done' }, true);
    expect(watch.words).toBeUndefined();
    watch.begin('Starting x');
    watch.follow({ ...EVENT, status: 'failed' }, false);
    expect(watch.words).toBeUndefined();
  });
});
