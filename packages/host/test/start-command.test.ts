import { tmpdir } from 'node:os';
import { type RunningCommand, type StartCommandOptions, startCommand } from '@parley/host/commands';
import { SpawnError } from '@parley/host/process';
import { needs, PROC } from '@parley/testing/needs';
import { isRunning } from '@parley/testing/processes';
import { describe, expect, it, vi } from 'vitest';
import { commandEnv } from '../src/commands/command-env.ts';
import { OutputTail } from '../src/commands/output-tail.ts';

const start = (options: Partial<StartCommandOptions>): Promise<RunningCommand> =>
  startCommand({ command: 'sh', cwd: tmpdir(), maxOutputBytes: 1024 * 1024, ...options });
const sh = (script: string, options: Partial<StartCommandOptions> = {}): Promise<RunningCommand> =>
  start({ command: 'sh', args: ['-c', script], ...options });

describe('a command', () => {
  it('gives output and exit code, and both streams', async () => {
    const pieces: string[] = [];
    const command = await sh('echo out; echo err >&2; exit 3', { onOutput: (text) => pieces.push(text) });
    expect(await command.exited).toEqual({ exitCode: 3, signal: null });
    expect(command.exit).toEqual({ exitCode: 3, signal: null });
    expect(command.readOutput().output.split('\n').sort()).toEqual(['', 'err', 'out']);
    expect(pieces.join('')).toContain('out\n');
    await command.release();
  });

  it('runs without a shell: arguments are arguments', async () => {
    const command = await start({ command: 'echo', args: ['$HOME', '; rm -rf /', '`id`'] });
    await command.exited;
    expect(command.readOutput().output).toBe('$HOME ; rm -rf / `id`\n');
    await command.release();
  });

  it('is killed with everything it has started, even what ignores SIGTERM, and stays readable', async () => {
    const stubborn = "trap '' TERM HUP; echo child $$; while :; do sleep 0.05; done";
    const command = await sh(`sh -c "${stubborn.replaceAll('$', '\\$')}" & echo parent $$; wait`, { killGraceMs: 100 });
    while (!/child \d+/.test(command.readOutput().output) || !/parent \d+/.test(command.readOutput().output))
      await tick();
    expect(command.exit).toBeUndefined();
    await command.kill();
    expect((await command.exited).signal).not.toBeNull();
    const pids = [...command.readOutput().output.matchAll(/\d+/g)].map(Number);
    expect(pids.length).toBeGreaterThanOrEqual(2);
    for (const pid of pids) expect(isRunning(pid), String(pid)).toBe(false);
    await command.release();
  });

  it('that has ended leaves no background children behind after release', async () => {
    const command = await sh('sleep 1000 & echo $!');
    await command.exited;
    const pid = Number(command.readOutput().output);
    expect(isRunning(pid)).toBe(true);
    await command.release();
    expect(isRunning(pid)).toBe(false);
  });

  it('takes those with it that have left its group and session', needs(PROC), async () => {
    const command = await sh(
      'setsid sleep 1000 >/dev/null 2>&1 & (setsid sleep 1000 >/dev/null 2>&1 & echo $!); echo $!; wait',
    );
    while (command.readOutput().output.split('\n').length < 3) await tick();
    const pids = command.readOutput().output.trim().split('\n').map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await command.release();
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  it('that cannot be started says why', async () => {
    await expect(start({ command: 'no-such-command' })).rejects.toMatchObject({
      code: 'spawn_failed',
      message: expect.stringContaining('no such command'),
    });
    await expect(start({ command: '' })).rejects.toThrow(SpawnError);
    await expect(start({ command: 'echo hello' })).rejects.toMatchObject({
      message: expect.stringContaining('without a shell'),
    });
    await expect(sh('true', { cwd: '/no/such/place' })).rejects.toMatchObject({
      message: expect.stringContaining('"/no/such/place" is not a directory'),
    });
  });

  it('sees harmless variables and those it is given, but none of our secrets', async () => {
    vi.stubEnv('PARLEY_TEST_TOKEN', 'secret');
    vi.stubEnv('PARLEY_TEST_PLAIN', 'plain');
    const command = await sh('echo "$PATH|$PARLEY_TEST_TOKEN|$PARLEY_TEST_PLAIN|$GIVEN"', { env: { GIVEN: 'given' } });
    await command.exited;
    expect(command.readOutput().output).toBe(`${process.env.PATH}|||given\n`);
    const open = await sh('echo "$PARLEY_TEST_TOKEN|$PARLEY_TEST_PLAIN"', { allowedEnv: ['PARLEY_TEST_PLAIN'] });
    await open.exited;
    expect(open.readOutput().output).toBe('|plain\n');
    await Promise.all([command.release(), open.release()]);
    expect(commandEnv({ A_KEY: '1', LC_ALL: 'C', XDG_SECRET_TOKEN: '2' }, 'inherit', {})).toHaveProperty('A_KEY');
    expect(commandEnv({ A_KEY: '1', LC_ALL: 'C', XDG_SECRET_TOKEN: '2' }, [], {})).toEqual({ LC_ALL: 'C' });
  });

  it("sees the person's environment without secrets where that is allowed", () => {
    const harmless = {
      JAVA_HOME: '/opt/java',
      VIRTUAL_ENV: '/venv',
      SSH_AUTH_SOCK: '/run/agent',
      http_proxy: 'http://proxy:3128',
      DATABASE_URL: 'postgres://localhost/app',
      PWD: '/work',
    };
    const secrets = {
      GH_TOKEN: 'x',
      anthropic_api_key: 'x',
      DB_PASSWORD: 'x',
      PGPASSWORD: 'x',
      GITHUB_PAT: 'x',
      MONGO_URL: 'mongodb://me:pass@host/db',
      BASH_ENV: '/start',
      'BASH_FUNC_ls%%': '() { :; }',
    };
    expect(commandEnv({ ...harmless, ...secrets }, 'withoutSecrets', { GIVEN: '1' })).toEqual({
      ...harmless,
      GIVEN: '1',
    });
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
