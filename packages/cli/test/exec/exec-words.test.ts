import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

const fails = (message: string, data: object): string =>
  parley.agent({ on: { 'session/prompt': [{ do: 'fail', code: -32603, message, data }] } });

describe('parley exec', () => {
  it('says that a model wants another key in one plain sentence, with the exit code of a login', async () => {
    const agent = fails('The model refused the key in OPENAI_API_KEY.', { kind: 'auth' });
    const { code, stderr } = await parley.run(['exec', '--agent', agent, 'Hi']);
    expect(code).toBe(7);
    expect(stderr.split('\n')[0]).toBe('parley: The model refused the key in OPENAI_API_KEY.');
    expect(stderr).not.toContain('Sent last');
  });

  it('tells what an agent says beside its error', async () => {
    const agent = fails('Internal error', { details: 'the model said no' });
    const { code, stderr } = await parley.run(['exec', '--agent', agent, 'Hi']);
    expect(code).toBe(1);
    expect(stderr).toContain('answered with an error: Internal error: the model said no');
  });

  it('tells a notice with its body', async () => {
    const file = join(parley.folder, 'mcp.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { notes: { command: '/nowhere/notes-server', args: [] } } }));
    const { stdout } = await parley.run(['exec', '--mcp-config', file, 'hello'], { env: { PARLEY_MODEL: 'offline' } });
    expect(stdout).toMatch(/^\[notice\] [^:]+: .*notes/m);
  });

  it('ends with a code of its own when nobody has understood the prompt, since there is no model', async () => {
    const { code, stdout, stderr } = await parley.run(['exec', '--json', 'fix the failing test']);
    expect(code).toBe(11);
    expect(stderr).toContain('parley login');
    const outcome = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { params: object };
    expect(outcome.params).toMatchObject({ exit: 'noModel', text: expect.stringContaining('did not understand') });
    expect((await parley.run(['exec', 'what does this project do?'])).code).toBe(0);
    const chosen = await parley.run(['exec', 'fix the failing test'], { env: { PARLEY_MODEL: 'offline' } });
    expect(chosen.code).toBe(0);
  });

  it.each([
    { args: ['exec', '--allowed-tools', 'Read,Grpe', 'hi'], code: 2, says: 'no tool "Grpe". Did you mean "Grep"?' },
    { args: ['exec', '--allowed-tools', 'Read,mcp__notes__get', 'hi'], code: 0, says: '' },
    { args: ['exec', '--agent', 'cat', 'hi'], code: 1, says: 'only repeats what it is sent' },
    { args: ['exec', '--agent', 'echo hello', 'hi'], code: 6, says: 'Instead of ACP it wrote: hello' },
    { args: ['exec', '--file', './nope', 'hi'], code: 2, says: 'cannot be read: it does not exist' },
    { args: ['history'], code: 2, says: 'try: parley sessions history' },
    { args: ['-s', 'nightly', 'hi'], code: 2, says: 'try: parley prompt -s nightly' },
  ])('says what is meant, or what is wrong: $args', async ({ args, code, says }) => {
    const finished = await parley.run(args);
    expect(finished).toMatchObject({ code, stderr: expect.stringContaining(says) });
    expect(finished.stderr).not.toMatch(/ENOENT|-32\d{3}/);
  });

  it('says where a settings file of the project is broken, and which command opens it', async () => {
    const file = join(parley.folder, '.parleyrc.json');
    writeFileSync(file, '{\n  bad\n}');
    const { stderr } = await parley.run(['exec', 'hi']);
    rmSync(file);
    expect(stderr).toMatch(/line 2/);
    expect(stderr).toContain('try: parley config edit --project');
  });
});
