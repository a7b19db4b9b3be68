import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../test/support/test-clock.ts';
import { type SilenceReport, SilenceWatchdog } from './silence-watchdog.ts';

function watch(
  isWaitingForPerson = false,
  isPaused = false,
): {
  watchdog: SilenceWatchdog;
  reports: SilenceReport[];
  clock: ReturnType<typeof createTestClock>;
} {
  const clock = createTestClock();
  const reports: SilenceReport[] = [];
  const watchdog = new SilenceWatchdog({
    clock,
    agent: 'gemini --acp',
    silentMs: 30_000,
    onSilence: (report) => reports.push(report),
    isPaused: () => isPaused,
    isWaitingForPerson: () => isWaitingForPerson,
  });
  return { watchdog, reports, clock };
}

describe('the watchdog', () => {
  it('says what we wait for, for how long, and what came last', async () => {
    const { watchdog, reports, clock } = watch();
    const stop = watchdog.wait('session/prompt', 's1');
    await clock.pass(10_000);
    watchdog.heard({ type: 'tool_call', toolCallId: 't', title: 'npm test', status: 'in_progress' });
    await clock.pass(29_000);
    expect(reports).toEqual([]);
    await clock.pass(1000);
    expect(reports).toMatchObject([
      { waitingFor: 'session/prompt', sessionId: 's1', waitedMs: 40_000, silentMs: 30_000, isWaitingForPerson: false },
    ]);
    expect(reports[0]?.message).toBe(
      'Waiting for gemini --acp for 30 s (session/prompt); last event: tool call npm test (in progress).',
    );
    await clock.pass(30_000);
    expect(reports).toHaveLength(2);
    stop();
    await clock.pass(100_000);
    expect(reports).toHaveLength(2);
  });

  it('knows when it is the person who is waited for', async () => {
    const { watchdog, reports, clock } = watch(true);
    watchdog.wait('session/prompt', 's1');
    watchdog.heard('a permission request for Delete everything');
    await clock.pass(30_000);
    expect(reports[0]).toMatchObject({ isWaitingForPerson: true });
    expect(reports[0]?.message).toContain('Waiting for your answer for 30 s');
  });

  it('does not blame the agent while we ourselves do not read', async () => {
    const { watchdog, reports, clock } = watch(false, true);
    watchdog.wait('session/prompt', 's1');
    await clock.pass(100_000);
    expect(reports).toEqual([]);
  });

  it('costs nothing when nothing waits', async () => {
    const { watchdog, clock } = watch();
    watchdog.heard('anything');
    expect(clock.pending).toBe(0);
    const stops = [watchdog.wait('a'), watchdog.wait('b')];
    expect(clock.pending).toBe(1);
    for (const stop of stops) stop();
    expect(clock.pending).toBe(0);
  });
});
