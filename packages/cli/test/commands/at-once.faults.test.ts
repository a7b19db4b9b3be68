import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { RESUMES } from '../support/scripts.ts';

const parley = useParley();
const MANY = Array.from({ length: 10 }, (_, index) => index);

describe('commands that run at the same moment', () => {
  it.each([
    ['with a name', ['-s', 'race']],
    ['without one', []],
  ])('ensure one session %s, and all get it', { timeout: 120_000 }, async (_, words) => {
    const agent = parley.agent(RESUMES);
    const ensure = ['sessions', 'ensure', '--agent', agent, ...words];
    const runs = await Promise.all(MANY.map(() => parley.run(ensure)));
    expect(runs.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(MANY.map(() => '0 '));
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1);
    const { stdout } = await parley.run(['sessions', 'list', '--all', '--json', '--agent', agent]);
    const { sessions } = JSON.parse(stdout) as { sessions: { id: string; name?: string }[] };
    const named = sessions.filter(({ name }) => name === words[1]);
    expect(named.map(({ id }) => id)).toEqual([runs[0]?.stdout.trim()]);
    await parley.run(['sessions', 'delete', runs[0]?.stdout.trim() ?? '']);
  });

  it('ensure a session again after it was closed, or its maker was killed', { timeout: 120_000 }, async () => {
    const agent = parley.agent(RESUMES);
    const ensure = ['sessions', 'ensure', '-s', 'again', '--agent', agent];
    const first = (await parley.run(ensure)).stdout.trim();
    await parley.run(['sessions', 'close', first]);
    const second = (await parley.run(ensure)).stdout.trim();
    expect(second).not.toBe(first);
    expect((await parley.run(ensure)).stdout.trim()).toBe(second);

    const silent = parley.agent({ on: { 'session/new': [] } });
    const killed = parley.start(['sessions', 'ensure', '-s', 'killed', '--agent', silent]);
    await killed.sees('session/new', 'stderr');
    killed.process.kill('SIGKILL');
    await killed.finished;
    const failing = await parley.run(['sessions', 'ensure', '-s', 'killed', '--agent', silent, '--timeout', '2']);
    expect(failing.code).toBe(3);
  });

  it('add ten agents, and all ten are kept', { timeout: 120_000 }, async () => {
    const runs = await Promise.all(MANY.map((n) => parley.run(['agents', 'add', `agent-${n}`, '--', 'true', `${n}`])));
    expect(runs.map(({ code }) => code)).toEqual(MANY.map(() => 0));
    const path = join(parley.home, 'config/parley/config.json');
    const { agents } = JSON.parse(readFileSync(path, 'utf8')) as { agents: object };
    expect(Object.keys(agents).sort()).toEqual(MANY.map((n) => `agent-${n}`));
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('take over the lock of one that was killed', { timeout: 60_000 }, async () => {
    const path = join(parley.home, 'config/parley/config.json');
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.pid, startTime: 'long before this one' }));
    const { code } = await parley.run(['config', 'set', 'defaultAgent', 'agent-1']);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ defaultAgent: 'agent-1' });
    expect(existsSync(`${path}.lock`)).toBe(false);
  });
});
