import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeModelServer, startFakeModelServer } from '@parley/testing/fake-model-server';
import { PtyProgram } from '@parley/testing/pty-program';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const file = join(parley.home, 'config/parley/keys.json');
const KEY = 'sk-ant-pasted-once';
const CTRL_C = '\u0003';
let server: FakeModelServer;
let env: Record<string, string>;
const open: PtyProgram[] = [];

beforeAll(async () => {
  server = await startFakeModelServer({ fallback: 'Hello from a model.', apiKey: KEY });
  env = { ANTHROPIC_BASE_URL: server.url };
});
afterAll(() => server.close());
afterEach(() => {
  for (const chat of open.splice(0)) chat.dispose();
  rmSync(file, { force: true });
});

function start(...args: readonly string[]): PtyProgram {
  const command = [process.execPath, parley.program, ...args];
  const chat = new PtyProgram({
    cwd: parley.folder,
    rows: 40,
    command,
    env: { ...parley.env, ...env },
  });
  open.push(chat);
  return chat;
}

const exec = ['exec', '--format', 'quiet', 'hi'];

describe('parley login', () => {
  it('takes a key from a pipe, keeps it for its owner alone, and our agent uses it until parley logout', async () => {
    const stored = await parley.run(['login', 'Anthropic'], { input: `${KEY}\n`, env });
    expect(stored).toMatchObject({ code: 0, stdout: expect.stringContaining('begin with anthropic/') });
    expect(stored.stdout + stored.stderr).not.toContain(KEY);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await parley.run(exec, { env })).toMatchObject({ code: 0, stdout: 'Hello from a model.\n' });
    expect((await parley.run(['doctor', '--json'], { env })).stdout).toContain('its key is stored (parley login)');
    const other = await parley.run(['exec', 'hi'], { env: { ...env, ANTHROPIC_API_KEY: 'another' } });
    expect(other).toMatchObject({ code: 7, stderr: expect.stringContaining('try: parley login') });

    expect((await parley.run(['logout'], { env })).stdout).toContain('no longer stored');
    expect(existsSync(file)).toBe(false);
    expect((await parley.run(['models', '--offline'], { env })).stdout).not.toContain('anthropic');
  });

  it.each([
    { args: ['login', 'antropic'], input: KEY, says: 'Did you mean "anthropic"?' },
    { args: ['login'], input: KEY, says: 'parley login anthropic < key-file' },
    { args: ['login', 'openai'], input: '', says: 'No key was given' },
    { args: ['login', 'openai'], input: 'two words', says: 'This is no key' },
    { args: ['logout', 'openai'], input: '', says: 'No key is stored' },
  ])('says what is wrong with $args and "$input"', async ({ args, input, says }) => {
    expect(await parley.run(args, { input })).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    expect(existsSync(file)).toBe(false);
  });

  it('shows nothing of the key at a terminal, and stores nothing when one gives up', async () => {
    const given = start('login');
    await given.see('1 Anthropic');
    await given.see((lines) => lines.at(-1) === 'choose:');
    given.type(CTRL_C);
    expect(await given.end()).toBe(130);
    expect(existsSync(file)).toBe(false);
  });

  it('is a login of the chat, which then goes on with a real model', async () => {
    const chat = start();
    await chat.see('No model is set up');
    chat.type('/login\r');
    await chat.see('API key, pasted once');
    chat.type('1');
    await chat.see((lines) => lines.at(-1) === 'choose:');
    chat.type('1\r');
    await chat.see('Anthropic key (it is not shown)');
    chat.type(`${KEY}\r`);
    await chat.see((lines) => lines.some((line) => /^── .*Claude Sonnet/.test(line)));
    await chat.see((lines) => lines.at(-1)?.startsWith('› Message') === true);
    chat.type('hi\r');
    await chat.see('Hello from a model.');
    expect(chat.output).not.toContain(KEY);
    expect(readFileSync(file, 'utf8')).toContain(KEY);
    chat.type('\u0004');
    expect(await chat.end()).toBe(0);
    expect((await parley.run(['logout', '--all'])).code).toBe(0);
    expect(existsSync(file)).toBe(false);
  });
});
