import { RpcError } from '@parley/jsonrpc';
import { errorOfKind } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../test/support/test-clock.ts';
import { isRetryable, SAFE_TO_REPEAT, withRetry } from './retry.ts';

describe('a call that is safe to repeat', () => {
  it('is made up to five times, after 1, 2, 4 and 8 seconds', async () => {
    const clock = createTestClock();
    const madeAt: number[] = [];
    const call = (): Promise<never> => {
      madeAt.push(clock.now());
      return Promise.reject(new RpcError(-32001, 'timed out'));
    };
    const done = withRetry(call, { clock, random: () => 0.5 }).catch((error) => error);
    await clock.runAll();
    expect(await done).toMatchObject({ code: -32001 });
    expect(madeAt).toEqual([0, 1000, 3000, 7000, 15_000]);
  });

  it('spreads its pauses around the plan', async () => {
    for (const [random, expected] of [
      [0, 750],
      [1, 1250],
    ] as const) {
      const clock = createTestClock();
      const pauses: number[] = [];
      const done = withRetry(() => Promise.reject(new RpcError(-32001, 'timed out')), {
        clock,
        random: () => random,
        maxAttempts: 2,
        onRetry: ({ pauseMs }) => pauses.push(pauseMs),
      }).catch(() => {});
      await clock.runAll();
      await done;
      expect(pauses).toEqual([expected]);
    }
  });

  it('stops at success, and at an error that will not pass', async () => {
    const clock = createTestClock();
    let calls = 0;
    const second = withRetry(
      async () => {
        calls += 1;
        if (calls === 1) throw errorOfKind('connection_closed');
        return 'ok';
      },
      { clock, random: () => 0.5 },
    );
    await clock.runAll();
    expect(await second).toBe('ok');
    await expect(withRetry(() => Promise.reject(new RpcError(-32602, 'no')), { clock })).rejects.toMatchObject({
      code: -32602,
    });
    expect(clock.pending).toBe(0);
  });

  it('stops when it is told to', async () => {
    const controller = new AbortController();
    const clock = createTestClock();
    const done = withRetry(() => Promise.reject(new RpcError(-32001, 'x')), { clock, signal: controller.signal });
    await Promise.resolve();
    await Promise.resolve();
    controller.abort(new Error('enough'));
    await expect(done).rejects.toThrow('enough');
    expect(clock.pending).toBe(0);
  });

  it('is never a prompt, nor a new session', () => {
    expect(SAFE_TO_REPEAT.has('session/prompt')).toBe(false);
    expect(SAFE_TO_REPEAT.has('session/new')).toBe(false);
    expect(SAFE_TO_REPEAT.has('authenticate')).toBe(false);
  });

  it('goes by what an error means: -32000 is a login that is missing, which waiting does not cure', () => {
    expect(isRetryable(new RpcError(-32000, 'Authentication required'))).toBe(false);
    expect(isRetryable(errorOfKind('request_timeout'))).toBe(true);
    expect(isRetryable(errorOfKind('session_expired'))).toBe(false);
    expect(isRetryable(new RpcError(-32003, 'Session expired'))).toBe(false);
    expect(isRetryable(new RpcError(-32603, 'Internal error'))).toBe(false);
    expect(isRetryable('nonsense')).toBe(false);
  });
});
