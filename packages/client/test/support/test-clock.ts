import type { Clock } from '../../src/clock.ts';

export interface TestClock extends Clock {
  /** Timers that have not fired. */
  readonly pending: number;
  /** Lets time pass; timers fire in order, and what they start gets its turn. */
  pass(milliseconds: number): Promise<void>;
  /** Lets time pass until no timer is left. */
  runAll(): Promise<void>;
}

/** A clock that stands still until it is told to go on. */
export function createTestClock(): TestClock {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  async function fireUntil(end: number): Promise<void> {
    await settle();
    for (;;) {
      const [next] = [...timers].sort((a, b) => a.at - b.at);
      if (!next || next.at > end) break;
      timers.delete(next);
      now = next.at;
      next.callback();
      await settle();
    }
  }
  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    get pending() {
      return timers.size;
    },
    async pass(milliseconds) {
      const end = now + milliseconds;
      await fireUntil(end);
      now = end;
    },
    runAll: () => fireUntil(Number.POSITIVE_INFINITY),
  };
}
