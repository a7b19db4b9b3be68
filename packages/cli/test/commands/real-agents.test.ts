import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltProgram } from '@parley/testing/build-program';
import { buildSdkAgent } from '@parley/testing/sdk-agent';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';

const parley = useParley();
const file = (name: string) => join(parley.folder, name);

describe('our own agent', () => {
  it('reads, edits and runs on the offline model, with nothing configured', async () => {
    writeFileSync(file('greeting.txt'), 'hello world\n');
    const { code, stdout, stderr } = await parley.run([
      'exec',
      '--approve-all',
      'replace "world" with "parley" in greeting.txt, then run `cat greeting.txt`',
    ]);
    expect(code, stderr).toBe(0);
    expect(readFileSync(file('greeting.txt'), 'utf8')).toBe('hello parley\n');
    expect(stdout).toContain('+ hello parley');
    expect(stdout).toMatch(/\[done\] end_turn( \(.*\))?\n$/);
  });

  it('changes nothing that nobody has allowed', async () => {
    writeFileSync(file('safe.txt'), 'before\n');
    const { code } = await parley.run(['exec', 'replace "before" with "after" in safe.txt']);
    expect(code).toBe(5);
    expect(readFileSync(file('safe.txt'), 'utf8')).toBe('before\n');
  });

  it('does what a mode of permissions allows', async () => {
    const { code } = await parley.run([
      'exec',
      '--permission-mode',
      'acceptEdits',
      'replace "before" with "after" in safe.txt',
    ]);
    expect(code).toBe(0);
    expect(readFileSync(file('safe.txt'), 'utf8')).toBe('after\n');
  });

  it('keeps nothing after exec', async () => {
    expect((await parley.run(['sessions', 'list', '--all', '--json'])).stdout).toContain('"sessions":[]');
  });

  it('is kept by a chat from its first turn on', async () => {
    const { code, stdout, stderr } = await parley.run(['--plain'], { input: 'read greeting.txt\n' });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('hello parley');
    const { sessions } = JSON.parse((await parley.run(['sessions', 'list', '--json'])).stdout);
    expect(sessions).toMatchObject([{ agent: 'parley', title: 'read greeting.txt', state: 'idle' }]);
    await parley.run(['--plain'], { input: '' });
    expect(JSON.parse((await parley.run(['sessions', 'list', '--json'])).stdout).sessions).toHaveLength(1);
  });

  it('passes the checks of the specification for initialization', { timeout: 60_000 }, async () => {
    const { code, stdout, stderr } = await parley.run([
      'check',
      '--json',
      '--only',
      'initialization',
      '--agent',
      'parley',
    ]);
    expect(code, stderr).toBe(0);
    const { results } = JSON.parse(stdout) as { results: { outcome: string; level: string }[] };
    expect(results.length).toBeGreaterThan(3);
    expect(results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  });
});

describe('an agent on the official SDK', () => {
  let program: BuiltProgram;
  let agent = '';
  beforeAll(async () => {
    program = await buildSdkAgent();
    agent = `${process.execPath} ${program.path}`;
  });
  afterAll(() => program.remove());

  it('answers exec', async () => {
    const { code, stdout } = await parley.run(['exec', '--format', 'quiet', '--agent', agent, 'Hi']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'You said: Hi\n' });
  });

  it.each([
    [['--approve-all'], 0, 'go'],
    [['--allow', 'Bash(npm *)'], 0, 'go'],
    [[], 5, 'no'],
  ])('gets the answer that %j gives', async (flags, expected, answer) => {
    const { code, stdout } = await parley.run(['exec', '--format', 'quiet', '--agent', agent, ...flags, 'ask']);
    expect({ code, stdout }).toEqual({ code: expected, stdout: `${answer}\n` });
  });

  it('is cancelled', async () => {
    const running = parley.start(['exec', '--agent', agent, 'wait']);
    await running.sees('waiting');
    running.process.kill('SIGINT');
    expect((await running.finished).code).toBe(130);
  });

  it('goes on in a saved session, is listed by itself, inspected and replayed', async () => {
    await parley.run(['prompt', '--agent', agent, '--name', 'sdk', 'one']);
    const second = await parley.run(['prompt', '-s', 'sdk', '--format', 'json', 'two']);
    expect(second.code, second.stderr).toBe(0);
    expect(readLines(second.stdout).some(({ method }) => method === 'session/resume')).toBe(true);
    expect((await parley.run(['sessions', 'history', 'sdk'])).stdout).toBe(
      '> one\nYou said: one\n[done] end_turn\n\n> two\nYou said: two\n[done] end_turn\n',
    );
    const listed = await parley.run(['sessions', 'list', '--from-agent', '--agent', agent]);
    expect(listed.stdout).toContain('page-1');
    const tapped = `${process.execPath} ${parley.program} inspect --no-live --trace sdk.ndjson -- ${agent}`;
    await parley.run(['exec', '--agent', tapped, 'traced']);
    const replayed = await parley.run(['trace', 'replay', '--as', 'client', 'sdk.ndjson', '--', ...agent.split(' ')]);
    expect(replayed.stderr).toContain('no divergence');
  });

  it('is found healthy', async () => {
    const { code, stdout } = await parley.run(['doctor', '--', ...agent.split(' ')]);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('sdk-agent 1.0.0');
  });
});
