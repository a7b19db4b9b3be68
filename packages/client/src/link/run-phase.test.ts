import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../test/support/test-clock.ts';
import { DEFAULT_DEADLINES, type PhaseEvent } from '../phase.ts';
import { type PhaseContext, runPhase } from './run-phase.ts';

function watch(deadlines: Partial<typeof DEFAULT_DEADLINES> = {}): {
  context: PhaseContext;
  events: PhaseEvent[];
  clock: ReturnType<typeof createTestClock>;
} {
  const clock = createTestClock();
  const events: PhaseEvent[] = [];
  const context: PhaseContext = {
    agent: 'slow --acp',
    clock,
    deadlines: { ...DEFAULT_DEADLINES, ...deadlines },
    onPhase: (event) => events.push(event),
    inspect: () => ({ stderrTail: 'loading plugins', noiseLines: 2 }),
  };
  return { context, events, clock };
}

describe('a phase', () => {
  it('tells how it goes: after a second, then every five', async () => {
    const { context, events, clock } = watch();
    let finish: (value: string) => void = () => {};
    const done = runPhase(
      'initialize',
      context,
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
    );
    await clock.pass(12_000);
    finish('ok');
    expect(await done).toBe('ok');
    expect(events.map(({ status, elapsedMs }) => [status, elapsedMs])).toEqual([
      ['started', 0],
      ['waiting', 1000],
      ['waiting', 6000],
      ['waiting', 11_000],
      ['done', 12_000],
    ]);
    expect(events[1]).toMatchObject({
      phase: 'initialize',
      agent: 'slow --acp',
      deadlineMs: 60_000,
      stderrTail: 'loading plugins',
    });
    expect(clock.pending).toBe(0);
  });

  it('is given up at its deadline; the work is told, and the error says what to look at', async () => {
    const { context, events, clock } = watch({ spawn: 2000 });
    let reason: unknown;
    const done = runPhase(
      'spawn',
      context,
      (signal) =>
        new Promise(() =>
          signal.addEventListener('abort', () => {
            reason = signal.reason;
          }),
        ),
    ).catch((error) => error);
    await clock.pass(2000);
    const error = await done;
    expect(error).toMatchObject({
      code: 'deadline_passed',
      phase: 'spawn',
      agent: 'slow --acp',
      stderrTail: 'loading plugins',
    });
    expect(String(error)).toContain('did not start within 2 s');
    expect(String(error)).toContain('2 lines that are not ACP messages');
    expect(reason).toBe(error);
    expect(events.at(-1)).toMatchObject({ status: 'failed', error });
    expect(clock.pending).toBe(0);
  });

  it('without a deadline waits for as long as it takes', async () => {
    const { context, clock } = watch({ authenticate: Number.POSITIVE_INFINITY });
    let isOver = false;
    void runPhase('authenticate', context, () => new Promise(() => {})).finally(() => {
      isOver = true;
    });
    await clock.pass(10_000_000);
    expect(isOver).toBe(false);
  });

  it('that fails by itself passes the error on', async () => {
    const { context, events, clock } = watch();
    await expect(runPhase('session/new', context, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(events.map(({ status }) => status)).toEqual(['started', 'failed']);
    expect(clock.pending).toBe(0);
  });
});
