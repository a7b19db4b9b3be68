import { areGone } from '@parley/testing/processes';
import { MISBEHAVIOURS, type Misbehaviour } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { type Running, readLines, useParley } from '../support/parley.ts';

const parley = useParley();

describe('parley exec with agents that misbehave', () => {
  const expected: { readonly [Name in Misbehaviour]: { code: number; says?: string } } = {
    neverAnswers: { code: 3, says: 'Gave up' },
    neverOpensSession: { code: 3, says: 'Gave up' },
    neverAnswersPrompt: { code: 3, says: 'Gave up' },
    diesAtStart: { code: 6, says: 'fatal: no configuration found' },
    diesMidTurn: { code: 6, says: 'panic: out of memory' },
    isKilledMidTurn: { code: 6, says: 'SIGKILL' },
    closesOutputMidTurn: { code: 6 },
    freezesMidTurn: { code: 3 },
    noiseOnStdout: { code: 0 },
    wrongVersion: { code: 1, says: 'version 7' },
    updatesAfterResponse: { code: 0 },
    updatesInChunkOfResponse: { code: 0 },
    foreignSessionIds: { code: 0 },
    unknownVariants: { code: 0 },
    flood: { code: 0 },
    earlyUpdates: { code: 0 },
    loadReplays: { code: 0 },
    loadAnswersNull: { code: 0 },
    loadDoesNotReplay: { code: 0 },
    loadReplaysTooLate: { code: 0 },
    loadFails: { code: 0 },
    resumeReplays: { code: 0 },
    ignoresCancel: { code: 3 },
    failsOnCancel: { code: 3 },
    asksUnknownThings: { code: 0 },
    usesFilesUnasked: { code: 0 },
    hugeLine: { code: 0 },
    asksThenIsCancelled: { code: 5 },
    invalidAnswers: { code: 1, says: 'sessionId' },
    leavesChildren: { code: 0 },
  };
  it.concurrent.each(Object.keys(MISBEHAVIOURS) as Misbehaviour[])('survives %s', { timeout: 30_000 }, async (name) => {
    const { code, says } = expected[name];
    const flags = code === 3 ? ['--timeout', '1'] : [];
    const { stdout, stderr, ...end } = await parley.run([
      ...['exec', '--format', 'json', '--json-strict', ...flags, '--agent', parley.agent(MISBEHAVIOURS[name]), 'Hi'],
    ]);
    const outcome = readLines(stdout).at(-1) as { params: { exitCode: number; error?: { message: string } } };
    expect(end.code, stderr).toBe(code);
    expect(stderr).toBe('');
    expect(outcome.params.exitCode).toBe(code);
    if (says !== undefined) expect(outcome.params.error?.message).toContain(says);
  });

  it('says what it waits for after a second, and what the agent says meanwhile', async () => {
    const agent = parley.agent({ onStart: [{ do: 'stderr', text: 'downloading 4 GB\n' }], on: { initialize: [] } });
    const running = parley.start(['exec', '--agent', agent, '--timeout', '1.6', 'Hi']);
    await running.sees('initialize (1 s of 60 s)', 'stderr');
    await running.sees('it says: downloading 4 GB', 'stderr');
    const { code, stderr } = await running.finished;
    expect(code).toBe(3);
    expect(stderr).toContain('Its last words on stderr:\n  downloading 4 GB\nSent last: initialize');
  });

  it('says what was sent last, and what to try next', async () => {
    const { stderr } = await parley.run(['exec', '--agent', parley.agent(MISBEHAVIOURS.diesMidTurn), 'Hi']);
    expect(stderr).toContain('exited with code 7');
    expect(stderr).toContain('Sent last: session/prompt');
    expect(stderr).toContain('try: parley doctor');
  });
});

describe('an interrupted parley exec', () => {
  const patient = {
    on: {
      'session/prompt': [
        { do: 'tell', what: 'pid' },
        { do: 'waitFor', method: 'session/cancel' },
        { do: 'respond', result: { stopReason: 'cancelled' } },
      ],
    },
  } as const;

  it('asks the agent to stop, and leaves with 130', async () => {
    const running = parley.start(['exec', '--format', 'json', '--agent', parley.agent(patient), 'Hi']);
    await running.sees('agent_message_chunk');
    running.process.kill('SIGINT');
    const { code, stdout } = await running.finished;
    const lines = readLines(stdout);
    expect(code).toBe(130);
    expect(lines.some(({ method }) => method === 'session/cancel')).toBe(true);
    expect(lines.at(-1)).toMatchObject({ params: { stopReason: 'cancelled', exit: 'interrupted' } });
  });

  it('waits for the last words of an agent that takes two seconds to stop', async () => {
    const slow = {
      on: {
        'session/prompt': [
          { do: 'say', text: 'working' },
          { do: 'waitFor', method: 'session/cancel' },
          { do: 'wait', ms: 2000 },
          { do: 'say', text: ', and undone' },
          { do: 'respond', result: { stopReason: 'cancelled' } },
        ],
      },
    } as const;
    const running = parley.start(['exec', '--agent', parley.agent(slow), 'Hi']);
    await running.sees('working');
    running.process.kill('SIGINT');
    const { code, stdout } = await running.finished;
    expect(stdout).toBe('working, and undone\n[done] cancelled\n');
    expect(code).toBe(130);
  });

  it('stops at once when asked twice, whatever the agent does', async () => {
    const running = parley.start(['exec', '--agent', parley.agent(MISBEHAVIOURS.ignoresCancel), 'Hi']);
    await running.sees('I will not stop');
    running.process.kill('SIGINT');
    await running.sees('press Ctrl-C again', 'stderr');
    running.process.kill('SIGINT');
    expect((await running.finished).code).toBe(130);
  });

  it('stops waiting after 3 s for an agent that does not stop, and says after 1 s what it waits for', async () => {
    const running = parley.start(['exec', '--agent', parley.agent(MISBEHAVIOURS.ignoresCancel), 'Hi']);
    await running.sees('I will not stop');
    const startedAt = performance.now();
    running.process.kill('SIGINT');
    await running.sees('Waiting for the agent to stop (2 s more); press Ctrl-C again to stop now.', 'stderr');
    const { code, stdout } = await running.finished;
    const seconds = (performance.now() - startedAt) / 1000;
    expect(code).toBe(130);
    expect(stdout).toContain('[done] cancelled');
    expect(seconds).toBeGreaterThan(2.9);
    expect(seconds).toBeLessThan(7);
  });

  describe('with an agent that ignores cancels, the end of its input, and SIGTERM', () => {
    const deaf = {
      ignoresEnd: true,
      onStart: [{ do: 'ignoreSignals' }],
      on: { 'session/prompt': [{ do: 'tell', what: 'pid' }], 'session/cancel': [] },
    } as const;
    const startDeaf = async (): Promise<Running> => {
      const running = parley.start(['exec', '--format', 'json', '--agent', parley.agent(deaf), 'Hi']);
      await running.sees('agent_message_chunk');
      return running;
    };

    it.each(['SIGTERM', 'SIGHUP'] as const)('ends within 8 s on %s, and leaves no process behind', async (signal) => {
      const running = await startDeaf();
      const startedAt = performance.now();
      running.process.kill(signal);
      const { code, stdout } = await running.finished;
      expect(performance.now() - startedAt).toBeLessThan(8000);
      expect(code).toBe(143);
      expect(readLines(stdout).at(-1)).toMatchObject({ params: { exit: 'terminated' } });
      expect(await areGone(pidsIn(stdout), 10_000)).toBe(true);
    });

    it('ends at once when asked twice, and leaves no process behind', async () => {
      const running = await startDeaf();
      running.process.kill('SIGINT');
      await running.sees('press Ctrl-C again', 'stderr');
      const startedAt = performance.now();
      running.process.kill('SIGINT');
      const { code, stdout } = await running.finished;
      expect(performance.now() - startedAt).toBeLessThan(2500);
      expect(code).toBe(130);
      expect(readLines(stdout).at(-1)).toMatchObject({ params: { exit: 'interrupted' } });
      expect(await areGone(pidsIn(stdout), 10_000)).toBe(true);
    });
  });

  it('leaves with 143 on SIGTERM', async () => {
    const running = parley.start(['exec', '--agent', parley.agent(patient), 'Hi']);
    await new Promise((resolve) => running.process.stdout.once('data', resolve));
    running.process.kill('SIGTERM');
    expect((await running.finished).code).toBe(143);
  });

  it('leaves no process behind when it is killed', { timeout: 20_000 }, async () => {
    const stubborn = {
      ...MISBEHAVIOURS.leavesChildren,
      on: { 'session/prompt': [{ do: 'tell', what: 'pid' }, { do: 'spawnChild' }] },
    } as const;
    const running = parley.start(['exec', '--format', 'json', '--agent', parley.agent(stubborn), 'Hi']);
    await running.sees('child ');
    running.process.kill('SIGKILL');
    const pids = pidsIn((await running.finished).stdout);
    expect(pids).toHaveLength(2);
    expect(await areGone(pids, 10_000)).toBe(true);
  });
});

/** The processes that a scripted agent has told of. */
function pidsIn(stdout: string): number[] {
  return [...stdout.matchAll(/"text":"(?:pid|child) (\d+)\\n"/g)].map(([, pid]) => Number(pid));
}
