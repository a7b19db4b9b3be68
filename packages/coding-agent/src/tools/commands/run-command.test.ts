import { areGone, isRunning } from '@parley/testing/processes';
import { describe, expect, it } from 'vitest';
import { createBench } from '../../../test/run-tool.ts';
import { runCommand } from './run-command.ts';

describe('run_command', () => {
  it('answers with the output and the exit code', async () => {
    const bench = await createBench({ 'sub/x': '' });
    const good = await bench.run(runCommand, { command: 'echo out; echo err >&2; ls', cwd: 'sub' });
    expect(good.text.split('\n').sort()).toEqual(['(exit code 0)', 'err', 'out', 'x']);
    expect(good).toMatchObject({ isError: false, rawOutput: { exitCode: 0, signal: null } });
    const bad = await bench.run(runCommand, { command: 'exit 3' });
    expect(bad).toMatchObject({ text: '(no output)\n(exit code 3)', isError: true });
    const ended = await bench.run(runCommand, { command: 'kill -9 $$' });
    expect(ended.text).toContain('(ended by SIGKILL)');
  });

  it('shows the output as it comes, and keeps the beginning and the end of a long one', async () => {
    const bench = await createBench();
    let shown = '';
    const { text } = await bench.run(
      runCommand,
      { command: 'echo first; yes 0123456789 | head -n 10000; echo last' },
      { show: (progress) => (shown += progress.text ?? '') },
    );
    expect(shown.length).toBeGreaterThan(100_000);
    expect(text.length).toBeLessThan(41_000);
    expect(text.startsWith('first')).toBe(true);
    expect(text).toContain('characters left out');
    expect(text.endsWith('last\n(exit code 0)')).toBe(true);
  });

  it('stops what takes too long, with everything it has started', async () => {
    const bench = await createBench();
    const outcome = await bench.run(runCommand, {
      command: "sleep 1000 & echo $!; trap '' TERM; wait; sleep 1000",
      timeout_seconds: 1,
    });
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining('Stopped after 1 s') });
    expect(await areGone([Number(/\d+$/m.exec(outcome.text)?.[0])], 2000)).toBe(true);
  });

  it('ends at once when the turn is cancelled', async () => {
    const bench = await createBench();
    const controller = new AbortController();
    let pid = 0;
    const running = bench.run(
      runCommand,
      { command: "trap '' TERM; echo $$; sleep 1000" },
      {
        signal: controller.signal,
        show: ({ text = '' }) => {
          pid = Number(text);
          controller.abort(new Error('cancelled'));
        },
      },
    );
    await expect(running).rejects.toThrow('cancelled');
    expect(await areGone([pid], 2000)).toBe(true);
  });

  it('leaves a background command running until somebody ends it', async () => {
    const bench = await createBench();
    const controller = new AbortController();
    const outcome = await bench.run(
      runCommand,
      { command: 'echo $$; sleep 1000', background: true },
      { signal: controller.signal },
    );
    const pid = Number(/\d+/.exec(outcome.text.split('\n')[1] ?? '')?.[0]);
    expect(outcome.text).toContain('runs in the background');
    controller.abort();
    expect(isRunning(pid)).toBe(true);
    await Promise.all([...bench.running].map((stop) => stop()));
    expect(isRunning(pid)).toBe(false);
    expect(bench.running.size).toBe(0);
  });

  it('tells at once when a background command has ended by itself', async () => {
    const bench = await createBench();
    const outcome = await bench.run(runCommand, { command: 'echo failed; exit 1', background: true });
    expect(outcome).toMatchObject({ text: 'failed\n(exit code 1)', isError: true });
  });

  it("gives the command the person's environment, and none of their keys and tokens", async () => {
    process.env.PARLEY_TEST_API_KEY = 'secret';
    process.env.PARLEY_TEST_HOME = 'place';
    const bench = await createBench();
    const { text } = await bench.run(runCommand, { command: 'env' });
    delete process.env.PARLEY_TEST_API_KEY;
    delete process.env.PARLEY_TEST_HOME;
    expect(text).not.toContain('secret');
    expect(text).toContain('PARLEY_TEST_HOME=place');
  });

  it('says why a command cannot be started', async () => {
    const bench = await createBench();
    const outcome = await bench.run(runCommand, { command: 'true', cwd: 'none' });
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining('is not a directory') });
  });

  it('shows the whole line to the rules, and a short one to the person', () => {
    const command = `echo ${'x'.repeat(200)}`;
    const { title, subject } = runCommand.describe(runCommand.parse({ command }), { cwd: '/w' });
    expect(title).toHaveLength(120);
    expect(subject).toEqual({ type: 'command', command, cwd: '/w' });
  });
});
