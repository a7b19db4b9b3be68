import { type AgentScript, sayAndEnd } from '@parley/testing/scripted-agent';
import { beforeAll, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { runInTerminal } from '../support/terminal.ts';

const parley = useParley();
const CTRL_D = '\u0004';
const hello: AgentScript = {
  on: { 'session/prompt': sayAndEnd('Hello from the agent') },
  capabilities: { loadSession: true, sessionCapabilities: { resume: {} } },
};

/** Types each answer once, when what it answers is there, behind the one before. */
function answering(...steps: readonly (readonly [when: string, keys: string])[]): (output: string) => string {
  let [place, from] = [0, 0];
  return (output) => {
    const [when, keys] = steps[place] ?? ['', ''];
    const at = when === '' ? -1 : output.indexOf(when, from);
    if (at < 0) return '';
    place += 1;
    from = at + when.length;
    return keys;
  };
}

const agent = ['--agent', 'mine'];
beforeAll(() => parley.run(['agents', 'add', 'mine', '--', ...parley.agentWords(hello)]));

async function begin(name: string, prompt: string): Promise<void> {
  await parley.run(['sessions', 'new', ...agent, '-s', name]);
  await parley.run(['prompt', ...agent, '-s', name, prompt]);
}

describe('what people know from other agents', () => {
  it('is a prompt without a command, with which the chat begins', async () => {
    const args = [...agent, 'hello there'];
    const { code, output } = await runInTerminal(parley, args, answering(['Hello from the agent', CTRL_D]));
    expect(code).toBe(0);
    expect(output).toContain('hello there');
  });

  it('is one prompt and one answer with -p, wherever it stands', async () => {
    for (const args of [
      [...agent, '-p', 'hello', '--format', 'quiet'],
      ['-p', ...agent, '--format', 'quiet', 'hello there'],
      ['--format', 'quiet', ...agent, 'hello there', '--print'],
      ['mine', '-p', '--format', 'quiet', 'hello'],
    ]) {
      expect(await parley.run(args)).toMatchObject({ code: 0, stdout: 'Hello from the agent\n' });
    }
    const piped = await parley.run(['-p', ...agent, '--format', 'quiet'], { input: 'from a pipe' });
    expect(piped.stdout).toBe('Hello from the agent\n');
  });

  it('is to go on with the last session with -c, and with one that is named or chosen with --resume', async () => {
    await begin('first', 'say the first thing');
    await begin('second', 'say the second thing');
    const last = await parley.run([...agent, '-c', '-p', 'and on', '--format', 'quiet']);
    expect(last).toMatchObject({ code: 0, stdout: 'Hello from the agent\n' });
    expect((await parley.run(['sessions', 'history', ...agent, '-s', 'second'])).stdout).toContain('and on');
    await parley.run([...agent, '-p', '--resume', 'first', 'and back']);
    expect((await parley.run(['sessions', 'history', ...agent, '-s', 'first'])).stdout).toContain('and back');

    const leave = ['Hello from the agent', CTRL_D] as const;
    const continued = await runInTerminal(parley, [...agent, '-c', 'go on then'], answering(leave));
    expect(continued).toMatchObject({ code: 0, output: expect.stringContaining('go on then') });
    const chosen = await runInTerminal(
      parley,
      [...agent, '--resume'],
      answering(['part of a title > ', 'nowhere\r'], ['part of a title > ', 'second\r'], [', session ', CTRL_D]),
    );
    expect(chosen.output).not.toContain(String.raw`\u001b`);
    expect(chosen.output).toContain('No session here is called "nowhere".');
    expect(chosen.output).toMatch(/1 {2}just now .*first: /);
    expect(chosen).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Resume with: parley sessions resume \w{10}\r?\n/),
    });
    const given = await runInTerminal(parley, [...agent, '--resume'], answering(['part of a title > ', '\u0003']));
    expect(given.code).toBe(130);
  });

  it.each([
    { args: ['--resume', '-p', 'hi'], says: 'needs the session', input: '' },
    { args: ['-c', '--resume', 'x'], says: 'one is enough', input: '' },
    { args: ['--resume'], says: 'Nobody is there to choose', input: '' },
    { args: ['fix the bug'], says: "parley exec 'fix the bug'", input: '' },
    {
      args: ['permissions', 'explain', 'rm'],
      says: '"explain" takes no words, only flags.\ntry: parley permissions explain',
      input: '',
    },
    { args: ['--verbos', '-p', 'hi'], says: 'Did you mean "--verbose"', input: '' },
  ])('is refused in words: $args', async ({ args, says, input }) => {
    const { code, stderr } = await parley.run(args, { input });
    expect(stderr).toContain(says);
    expect(stderr.split('\n').length).toBeLessThan(8);
    expect(code).toBe(2);
  });

  it('is a list of sessions that fits the terminal, with ids that can be typed', async () => {
    await begin('wide', `a title ${'that goes on and on '.repeat(10)}`);
    const { output } = await runInTerminal(parley, ['sessions', 'list', '--all'], undefined, 80);
    const lines = output.trim().split(/\r?\n/);
    expect(lines[0]).toMatch(/^id +used +state +agent +title +folder/);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const [id = ''] = /^\S+/.exec(lines.find((line) => line.includes('wide')) ?? '') ?? [];
    expect((await parley.run(['status', '-s', id])).code).toBe(0);
    expect((await parley.run(['sessions', 'list', '--all'])).stdout).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d/);
  });
});
