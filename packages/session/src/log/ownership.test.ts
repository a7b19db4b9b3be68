import type { SessionLog } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ownership } from './ownership.ts';

const LEASE_MS = 900;

/** A session in a store whose leases run out, and whose answers to renewals can be held up. */
async function open() {
  const memory = memoryStore().log();
  await memory.create({ id: 'session', cwd: '/' });
  const held: (() => void)[] = [];
  let isAway = false;
  let renewals = 0;
  const log: SessionLog = new Proxy(memory, {
    get(target, name) {
      if (name === 'hasStrictLeases') return true;
      if (name === 'renew')
        return async (...args: Parameters<SessionLog['renew']>) => {
          renewals += 1;
          const lease = await memory.renew(...args);
          if (isAway) await new Promise<void>((resolve) => held.push(resolve));
          return lease;
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const losses: unknown[] = [];
  const ownership = new Ownership({
    log,
    sessionId: 'session',
    leaseMs: LEASE_MS,
    patienceMs: 0,
    isAtWork: async () => true,
    onHold: () => {},
    onAcquired: async () => {},
    onLost: (error) => void losses.push((error as { readonly code: string }).code),
    onFault: () => {},
  });
  return {
    ownership,
    losses,
    renewals: () => renewals,
    leave: () => {
      isAway = true;
    },
    comeBack: () => {
      isAway = false;
      for (const answer of held.splice(0)) answer();
    },
  };
}

describe('a lease that runs out unless it is renewed', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is kept for as long as the store answers', async () => {
    const { ownership, losses, renewals } = await open();
    const epoch = await ownership.hold();
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(losses).toEqual([]);
    expect(renewals()).toBe(30);
    expect(await ownership.hold()).toBe(epoch);
  });

  it('is lost once when the store is away, however many answers come when it is back', async () => {
    const { ownership, losses, renewals, leave, comeBack } = await open();
    await ownership.hold();
    leave();
    await vi.advanceTimersByTimeAsync(5 * LEASE_MS);
    expect(losses).toEqual(['lease_lost']);
    expect(renewals()).toBe(1);
    comeBack();
    await vi.advanceTimersByTimeAsync(5 * LEASE_MS);
    expect(losses).toEqual(['lease_lost']);
  });

  it('is renewed before anything else begins under it', async () => {
    const { ownership, leave, comeBack } = await open();
    const epoch = await ownership.hold();
    leave();
    await vi.advanceTimersByTimeAsync(5 * LEASE_MS);
    let isHeld = false;
    const holding = ownership.hold().then((held) => {
      isHeld = true;
      return held;
    });
    await vi.advanceTimersByTimeAsync(LEASE_MS);
    expect(isHeld).toBe(false);
    comeBack();
    await vi.advanceTimersByTimeAsync(LEASE_MS);
    expect(await holding).toBe(epoch);
  });
});
