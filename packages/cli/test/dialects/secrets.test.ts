import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { runInTerminal, type TerminalRun } from '../support/terminal.ts';

const parley = useParley();
const agent = `'${process.execPath}' '${fileURLToPath(new URL('./peers/pharo-agent.mjs', import.meta.url))}'`;
const exec = ['exec', '--approve-all', '--agent', agent, '--auth', 'api_key'];

/** Runs the command in a real terminal, and types a line when it is asked for the key. */
function workWith(secret: string): Promise<TerminalRun> {
  let isAnswered = false;
  return runInTerminal(parley, [...exec, 'work'], (output) => {
    if (isAnswered || !output.includes('API Key: ')) return '';
    isAnswered = true;
    return `${secret}\r`;
  });
}

describe('a login that wants a secret', () => {
  it('asks the person at the terminal, and shows nothing of it', async () => {
    const { output } = await workWith('secret_key_here');
    expect(output).toContain('Waiting for you: Authenticate with API key');
    expect(output).not.toContain('secret_key_here');
    expect(output).not.toContain('Authentication failed');
    expect(output).toContain("I'll fix the authentication bug.");
  });

  it.each([
    ['secret_key_here', 'secret_key_here'],
    ['with what was erased', 'wrong\u0015secret_key_herx\u007fe'],
  ])('is asked for in the plain chat without showing it: %s', async (_what, typed) => {
    const flags = ['--plain', '--approve-all', '--agent', agent, '--auth', 'api_key'];
    const steps = [
      { when: 'secret: ', keys: `${typed}\r` },
      { when: 'you: ', keys: 'work\r' },
      { when: "I'll fix the authentication bug.", keys: '/quit\r' },
    ];
    const { output } = await runInTerminal(parley, flags, (shown) => {
      const [step] = steps;
      if (!step || !shown.includes(step.when)) return '';
      steps.shift();
      return step.keys;
    });
    expect(steps).toEqual([]);
    expect(output).not.toContain('secret_key');
    expect(output).not.toContain('wrong');
  });

  it('is refused with a wrong one, from wherever it comes', async () => {
    const asked = await workWith('guess');
    expect(asked.code).toBe(7);
    expect(asked.output).toContain('Authentication failed');
    const given = await parley.run([...exec, 'work'], { env: { PARLEY_AUTH_API_KEY: 'guess' } });
    expect(given).toMatchObject({ code: 7, stderr: expect.stringContaining('Authentication failed') });
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
