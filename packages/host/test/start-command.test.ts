import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isRunning } from '../../../test/support/processes.ts';
import type { HostedTerminal, TerminalHostOptions, TerminalRequest } from '../../terminals/terminal-host.ts';
import { createNodeTerminals } from './node-terminals.ts';
import { OutputTail } from './output-tail.ts';
import { terminalEnv } from './terminal-env.ts';

function start(request: Partial<TerminalRequest>, options: TerminalHostOptions = {}): Promise<HostedTerminal> {
  const defaults = {
    sessionId: 's',
    args: [],
    env: {},
    cwd: tmpdir(),
    outputByteLimit: 1024 * 1024,
    onOutput: () => {},
  };
  return createNodeTerminals(options).create({ ...defaults, command: 'sh', ...request });
}
const sh = (
  script: string,
  request: Partial<TerminalRequest> = {},
  options: TerminalHostOptions = {},
): Promise<HostedTerminal> => start({ command: 'sh', args: ['-c', script], ...request }, options);

describe('a terminal', () => {
  it('gives output and exit code, and both streams', async () => {
    const pieces: string[] = [];
    const terminal = await sh('echo out; echo err >&2; exit 3', { onOutput: (text) => pieces.push(text) });
    expect(await terminal.exited).toEqual({ exitCode: 3, signal: null });
    expect(terminal.exit).toEqual({ exitCode: 3, signal: null });
    expect(terminal.readOutput().output.split('\n').sort()).toEqual(['', 'err', 'out']);
    expect(pieces.join('')).toContain('out\n');
    await terminal.release();
  });

  it('runs without a shell: arguments are arguments', async () => {
    const terminal = await start({ command: 'echo', args: ['$HOME', '; rm -rf /', '`id`'] });
    await terminal.exited;
    expect(terminal.readOutput().output).toBe('$HOME ; rm -rf / `id`\n');
    await terminal.release();
  });

  it('is killed with everything it has started, even what ignores SIGTERM, and stays readable', async () => {
    const stubborn = "trap '' TERM HUP; echo child $$; while :; do sleep 0.05; done";
    const terminal = await sh(
      `sh -c "${stubborn.replaceAll('$', '\\$')}" & echo parent $$; wait`,
      {},
      { killGraceMs: 100 },
    );
    while (!/child \d+/.test(terminal.readOutput().output) || !/parent \d+/.test(terminal.readOutput().output))
      await tick();
    expect(terminal.exit).toBeUndefined();
    await terminal.kill();
    expect((await terminal.exited).signal).not.toBeNull();
    const pids = [...terminal.readOutput().output.matchAll(/\d+/g)].map(Number);
    expect(pids.length).toBeGreaterThanOrEqual(2);
    for (const pid of pids) expect(isRunning(pid), String(pid)).toBe(false);
    await terminal.release();
  });

  it('that has ended leaves no background children behind after release', async () => {
    const terminal = await sh('sleep 1000 & echo $!');
    await terminal.exited;
    const pid = Number(terminal.readOutput().output);
    expect(isRunning(pid)).toBe(true);
    await terminal.release();
    expect(isRunning(pid)).toBe(false);
  });

  it.runIf(existsSync('/proc/self/environ'))('takes those with it that have left its group and session', async () => {
    const terminal = await sh(
      'setsid sleep 1000 >/dev/null 2>&1 & (setsid sleep 1000 >/dev/null 2>&1 & echo $!); echo $!; wait',
    );
    while (terminal.readOutput().output.split('\n').length < 3) await tick();
    const pids = terminal.readOutput().output.trim().split('\n').map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await terminal.release();
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  it('that cannot be started says why', async () => {
    await expect(start({ command: 'no-such-command' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('no such command'),
    });
    await expect(start({ command: 'echo hello' })).rejects.toMatchObject({
      message: expect.stringContaining('without a shell'),
    });
    await expect(sh('true', { cwd: '/no/such/place' })).rejects.toMatchObject({
      message: expect.stringContaining('/no/such/place is not a directory'),
    });
  });

  it('sees harmless variables and those of the agent, but none of our secrets', async () => {
    process.env.PARLEY_TEST_TOKEN = 'secret';
    process.env.PARLEY_TEST_PLAIN = 'plain';
    const terminal = await sh('echo "$PATH|$PARLEY_TEST_TOKEN|$PARLEY_TEST_PLAIN|$GIVEN"', { env: { GIVEN: 'given' } });
    await terminal.exited;
    expect(terminal.readOutput().output).toBe(`${process.env.PATH}|||given\n`);
    const open = await sh('echo "$PARLEY_TEST_TOKEN|$PARLEY_TEST_PLAIN"', {}, { env: ['PARLEY_TEST_PLAIN'] });
    await open.exited;
    expect(open.readOutput().output).toBe('|plain\n');
    await Promise.all([terminal.release(), open.release()]);
    expect(terminalEnv({ A_KEY: '1', LC_ALL: 'C', XDG_SECRET_TOKEN: '2' }, 'inherit', {})).toHaveProperty('A_KEY');
    expect(terminalEnv({ A_KEY: '1', LC_ALL: 'C', XDG_SECRET_TOKEN: '2' }, [], {})).toEqual({ LC_ALL: 'C' });
  });
});

describe('the tail of an output', () => {
  it('keeps the end, cut where a character begins', () => {
    const tail = new OutputTail(5);
    tail.append(Buffer.from('aé'));
    tail.append(Buffer.from('漢字'));
    expect(tail.read()).toEqual({ output: '字', isTruncated: true });
    tail.append(Buffer.from('!'));
    expect(tail.read()).toEqual({ output: '字!', isTruncated: true });
  });

  it('joins characters that came in two pieces', () => {
    const tail = new OutputTail(100);
    const bytes = Buffer.from('ü');
    tail.append(bytes.subarray(0, 1));
    tail.append(bytes.subarray(1));
    expect(tail.read()).toEqual({ output: 'ü', isTruncated: false });
  });

  it('keeps nothing with a limit of nothing, and stays small under a flood', () => {
    const none = new OutputTail(0);
    none.append(Buffer.from('x'));
    expect(none.read()).toEqual({ output: '', isTruncated: true });
    const tail = new OutputTail(1000);
    for (let index = 0; index < 10_000; index += 1) tail.append(Buffer.from(`line ${index}\n`));
    expect(tail.read().output.length).toBeLessThanOrEqual(1000);
    expect(tail.read().output.endsWith('line 9999\n')).toBe(true);
  });
});

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));
