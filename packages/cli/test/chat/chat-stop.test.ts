import { areGone } from '@parley/testing/processes';
import { PtyProgram } from '@parley/testing/pty-program';
import type { AgentScript } from '@parley/testing/scripted-agent';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

/** Ignores cancels, the end of its input, and signals; says its process id. */
const deaf: AgentScript = {
  ignoresEnd: true,
  onStart: [{ do: 'ignoreSignals' }],
  on: { 'session/prompt': [{ do: 'tell', what: 'pid' }], 'session/cancel': [] },
};

const pidOf = (output: string): number[] => [Number(/pid (\d+)/.exec(output)?.[1])];

describe('a chat with an agent that stops for nothing', () => {
  it.each(['SIGTERM', 'SIGHUP'] as const)('in plain lines ends within 8 s on %s in a turn', async (signal) => {
    const chat = parley.start(['chat', '--plain', '--agent', parley.agent(deaf)], { input: undefined });
    chat.process.stdin.write('go\n');
    await chat.sees('pid ');
    const startedAt = performance.now();
    chat.process.kill(signal);
    const { code, stdout } = await chat.finished;
    expect(performance.now() - startedAt).toBeLessThan(8000);
    expect(code).toBe(143);
    expect(await areGone(pidOf(stdout), 10_000)).toBe(true);
  });

  it('in plain lines ends at once with the second Ctrl-C', async () => {
    const chat = parley.start(['chat', '--plain', '--agent', parley.agent(deaf)], { input: undefined });
    chat.process.stdin.write('go\n');
    await chat.sees('pid ');
    chat.process.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const startedAt = performance.now();
    chat.process.kill('SIGINT');
    const { code, stdout } = await chat.finished;
    expect(performance.now() - startedAt).toBeLessThan(2500);
    expect(code).toBe(130);
    expect(await areGone(pidOf(stdout), 10_000)).toBe(true);
  });

  it('ends at once with the second Ctrl-C', async () => {
    const chat = new PtyProgram({
      cwd: parley.folder,
      command: [process.execPath, parley.program, '--agent', parley.agent(deaf)],
      env: { ...parley.env },
    });
    onTestFinished(() => chat.dispose());
    await chat.see('session ');
    chat.type('go\r');
    await chat.see('pid ');
    chat.type('\u0003');
    await chat.see('ctrl+c again leaves');
    const startedAt = performance.now();
    chat.type('\u0003');
    expect(await chat.end()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(2500);
    expect(await areGone(pidOf(chat.output), 10_000)).toBe(true);
  });
});
