import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const agent = `'${process.execPath}' '${fileURLToPath(new URL('./peers/pharo-agent.mjs', import.meta.url))}'`;
const exec = ['exec', '--approve-all', '--agent', agent, '--auth', 'api_key'];

/** Runs the command in a real terminal, and types a line when it is asked for the key. */
async function runInTerminal(secret: string): Promise<{ code: number; output: string }> {
  const terminal = spawn(process.execPath, [parley.program, ...exec, 'work'], {
    cols: 100,
    rows: 30,
    cwd: parley.folder,
    env: { ...parley.env, TERM: 'xterm-256color' },
  });
  let output = '';
  let isAnswered = false;
  terminal.onData((data) => {
    output += data;
    if (isAnswered || !output.includes('API Key: ')) return;
    isAnswered = true;
    terminal.write(`${secret}\r`);
  });
  const code = await new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  return { code, output };
}

describe('a login that wants a secret', () => {
  it('asks the person at the terminal, and shows nothing of it', async () => {
    const { output } = await runInTerminal('secret_key_here');
    expect(output).toContain('Waiting for you: Authenticate with API key');
    expect(output).not.toContain('secret_key_here');
    expect(output).not.toContain('Authentication failed');
    expect(output).toContain("I'll fix the authentication bug.");
  });

  it('is refused with a wrong one, from wherever it comes', async () => {
    const asked = await runInTerminal('guess');
    expect(asked.code).not.toBe(0);
    expect(asked.output).toContain('Authentication failed');
    const given = await parley.run([...exec, 'work'], { env: { PARLEY_AUTH_API_KEY: 'guess' } });
    expect(given.stderr).toContain('Authentication failed');
  });

  it('takes credentials of any shape from the environment', async () => {
    const env = { PARLEY_AUTH_API_KEY: '{"apiKey": "secret_key_here", "more": 1}' };
    const { stdout } = await parley.run([...exec, 'work'], { env });
    expect(stdout).toContain("I'll fix the authentication bug.");
  });

  it('sends none where nobody can be asked', async () => {
    const { code, stderr } = await parley.run([...exec, 'work']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('Authentication failed');
  });
});
