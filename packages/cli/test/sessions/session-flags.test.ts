import { type AgentScript, END_TURN, sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';

const parley = useParley();
const hello: AgentScript = { on: { 'session/prompt': sayAndEnd('Hello') } };

/** The parameters of every message of a method that we sent. */
async function sent(args: readonly string[], method: string): Promise<Record<string, unknown>[]> {
  const { stdout, stderr, code } = await parley.run(['--format', 'json', '--json-strict', ...args]);
  expect(code, stderr || stdout).toBe(0);
  return readLines(stdout)
    .filter((line) => line.method === method)
    .map(({ params }) => params as Record<string, unknown>);
}

describe('what is asked of an agent in _meta', () => {
  it.concurrent.each([
    [['--system-prompt', 'Be a pirate.'], { systemPrompt: 'Be a pirate.' }],
    [['--append-system-prompt', 'Be brief.'], { systemPrompt: { append: 'Be brief.' } }],
    [['--allowed-tools', 'Read, Grep'], { claudeCode: { options: { allowedTools: ['Read', 'Grep'] } } }],
    [['--allowed-tools', ''], { claudeCode: { options: { allowedTools: [] } } }],
    [['--max-turns', '3'], { claudeCode: { options: { maxTurns: 3 } } }],
    [[], undefined],
  ])('comes from %j', async (flags, meta) => {
    const [setup] = await sent(['exec', '--agent', parley.agent(hello), ...flags, 'Hi'], 'session/new');
    expect(setup?._meta).toEqual(meta);
  });

  it('is kept with a saved session and asked again each time, until something else is asked', async () => {
    const agent = parley.agent({ ...hello, capabilities: { sessionCapabilities: { resume: {} } } });
    const flags = ['--agent', agent];
    const id = (
      await parley.run(['sessions', 'new', ...flags, '--append-system-prompt', 'Be brief.', '--max-turns', '3'])
    ).stdout.trim();
    const prompt = ['prompt', '-s', id, ...flags];
    const [second] = await sent([...prompt, 'Hi'], 'session/resume');
    expect(second?._meta).toEqual({ systemPrompt: { append: 'Be brief.' }, claudeCode: { options: { maxTurns: 3 } } });
    const changed = { systemPrompt: 'Be long.', claudeCode: { options: { maxTurns: 3, allowedTools: ['Read'] } } };
    const [third] = await sent(
      [...prompt, '--system-prompt', 'Be long.', '--allowed-tools', 'Read', 'Hi'],
      'session/resume',
    );
    expect(third?._meta).toEqual(changed);
    const [fourth] = await sent([...prompt, 'Hi'], 'session/resume');
    expect(fourth?._meta).toEqual(changed);
  });

  it('is honoured by our own agent', async () => {
    const run = (...flags: string[]) =>
      parley.run(['exec', '--format', 'quiet', '--approve-all', ...flags, 'run echo hi']);
    expect((await run()).stdout).toContain('hi');
    const { stdout } = await run('--allowed-tools', 'Read');
    expect(stdout).not.toMatch(/Done/);
    expect((await run('--max-turns', '1')).code).toBe(9);
  });

  it.concurrent.each([
    [['--system-prompt', 'a', '--append-system-prompt', 'b'], 'contradict'],
    [['--system-prompt', ' '], '--system-prompt is empty'],
    [['--allowed-tools', 'Read,,Grep'], 'empty name'],
    [['--max-turns', '0'], 'at least 1'],
    [['--max-turns', 'many'], 'whole number'],
    [['--prompt-retries', '-1'], 'from 0 to 10'],
    [['--prompt-retries', '11'], 'from 0 to 10'],
    [['--auth-policy', 'maybe'], 'skip, fail'],
    [['--ttl', 'long'], 'seconds'],
  ])('refuses %j', async (flags, hint) => {
    const { code, stderr, stdout } = await parley.run(['exec', '--agent', parley.agent(hello), ...flags, 'Hi']);
    expect(code, stdout).toBe(2);
    expect(stderr).toContain(hint);
  });
});

describe('--prompt-retries', () => {
  const fails = (code: number, ...before: NonNullable<AgentScript['on']>[string]): AgentScript => ({
    on: { 'session/prompt': [...before, { do: 'fail', code, message: 'overloaded' }] },
  });
  const prompts = async (script: AgentScript, retries: string) => {
    const args = ['exec', '--format', 'json', '--agent', parley.agent(script), '--prompt-retries', retries, 'Hi'];
    const { code, stdout, stderr } = await parley.run(args);
    return { code, stderr, count: readLines(stdout).filter(({ method }) => method === 'session/prompt').length };
  };

  it.concurrent('prompts again when the agent failed before it did anything, and says so', {
    timeout: 15_000,
  }, async () => {
    const { code, count, stderr } = await prompts(fails(-32603), '2');
    expect({ code, count }).toEqual({ code: 1, count: 3 });
    expect(stderr).toContain('overloaded');
    expect(stderr).toContain('prompting again in 1 s, 1 of 2');
    expect(stderr).toContain('prompting again in 2 s, 2 of 2');
  });

  const never: readonly [string, AgentScript, string][] = [
    ['without the flag', fails(-32603), '0'],
    ['after something was said', fails(-32603, { do: 'say', text: 'half' }), '2'],
    [
      'after the agent asked something',
      fails(-32603, { do: 'request', method: 'fs/read_text_file', params: { sessionId: '$sessionId', path: '/none' } }),
      '2',
    ],
    ['when the error will not pass', fails(-32602), '2'],
    ['when the agent died', { on: { 'session/prompt': [{ do: 'exit', code: 3 }] } }, '2'],
  ];
  it.concurrent.each(never)('does not prompt again %s', async (_name, script, retries) => {
    expect(await prompts(script, retries)).toMatchObject({ count: 1, code: expect.any(Number) });
  });

  it('stops waiting at Ctrl-C', async () => {
    const running = parley.start(['exec', '--agent', parley.agent(fails(-32603)), '--prompt-retries', '10', 'Hi']);
    await running.sees('prompting again', 'stderr');
    running.process.kill('SIGINT');
    expect((await running.finished).code).toBe(130);
  });
});

describe('--auth-policy', () => {
  const offers: AgentScript = { ...hello, authMethods: [{ id: 'api-key', name: 'API key' }] };
  const run = (...flags: string[]) => parley.run(['exec', '--agent', parley.agent(offers), ...flags, 'Hi']);

  it('goes on by itself, and fails before a session when told to', async () => {
    expect((await run()).code).toBe(0);
    expect((await run('--auth-policy', 'skip')).code).toBe(0);
    const { code, stderr, stdout } = await run('--auth-policy', 'fail');
    expect(code).toBe(7);
    expect(stderr).toContain('offers logins (api-key); none is chosen');
    expect(stdout).toBe('');
  });

  it('does not fail when a login is chosen, or when there is none to choose', async () => {
    expect((await run('--auth-policy', 'fail', '--auth', 'api-key')).code).toBe(0);
    expect(await run('--auth', 'nope')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no login "nope"'),
    });
    const env = { PARLEY_AUTH_API_KEY: 'secret' };
    const args = ['exec', '--agent', parley.agent(offers), '--auth-policy', 'fail', 'Hi'];
    expect((await parley.run(args, { env })).code).toBe(0);
    const plain = ['exec', '--agent', parley.agent(hello), '--auth-policy', 'fail', 'Hi'];
    expect((await parley.run(plain)).code).toBe(0);
  });

  it('holds for sessions that are only opened, and can be a setting', async () => {
    const args = ['sessions', 'new', '--agent', parley.agent(offers)];
    expect((await parley.run([...args, '--auth-policy', 'fail'])).code).toBe(7);
    await parley.run(['config', 'set', 'authPolicy', 'fail']);
    expect((await parley.run(args)).code).toBe(7);
    await parley.run(['config', 'unset', 'authPolicy']);
  });
});

describe('words of acpx scripts', () => {
  it.each([
    [['--ttl', '30', 'exec', 'Hi']],
    [['--ttl', '0', '--prompt-retries', '1', '--auth-policy', 'skip', 'exec', 'Hi']],
    [['exec', '--config-option', 'x=y', '--help']],
    [['sessions', 'new', '--name', 'backend']],
    [['sessions', 'ensure', '-s', 'backend']],
    [['-s', 'backend', 'fix', 'it']],
    [['--no-wait', '-s', 'backend', 'fix it']],
    [['sessions', 'show', 'backend']],
    [['sessions', 'read', 'backend', '--tail', '2']],
    [['sessions', 'history', 'backend', '--limit', '2']],
    [['sessions', 'list', '--local']],
    [['sessions', 'prune', '--dry-run', '--older-than', '30', '--include-history']],
    [['sessions', 'close', 'backend']],
  ])('are understood: <agent> %j', async (words) => {
    await parley.run(['agents', 'add', 'mine', '--', ...parley.agentWords({ ...hello, capabilities: RESUMES })]);
    const { code, stderr } = await parley.run(['mine', ...words]);
    expect(code, stderr).toBe(0);
  });

  it("ask for a page of the agent's own list", async () => {
    const listing = { sessions: [{ sessionId: 'a', cwd: '/', title: 'From <cursor>' }], nextCursor: 'p3' };
    const agent = parley.agent({
      capabilities: { sessionCapabilities: { list: {} } },
      on: { 'session/list': [{ do: 'respond', result: listing }] },
    });
    const { stdout } = await parley.run(['sessions', 'list', '--cursor', 'p2', '--json', '--agent', agent]);
    expect(JSON.parse(stdout)).toEqual({ schema: 1, ...listing });
  });
});

const RESUMES = { sessionCapabilities: { resume: {} } };

describe('a question with fields, and nobody at a terminal', () => {
  const asks: AgentScript = {
    on: {
      'session/prompt': [
        {
          do: 'repeat',
          times: 2,
          steps: [
            {
              do: 'request',
              method: 'elicitation/create',
              params: {
                mode: 'form',
                sessionId: '$sessionId',
                message: 'Which port?',
                requestedSchema: { type: 'object', properties: {} },
              },
              echo: true,
            },
          ],
        },
        END_TURN,
      ],
    },
  };

  it('is not offered, is declined, and is told once', async () => {
    const { code, stdout, stderr } = await parley.run(['exec', '--agent', parley.agent(asks), 'Hi']);
    expect(code).toBe(0);
    expect(stdout.match(/"action":"decline"/g)).toHaveLength(2);
    expect(stderr).toBe('declined, as nobody can be asked here: Which port?\n');
    const [offer] = await sent(['exec', '--agent', parley.agent(asks), 'Hi'], 'initialize');
    expect(JSON.stringify(offer)).not.toContain('elicitation');
  });

  it('keeps stderr clean where that is promised', async () => {
    const args = ['exec', '--format', 'json', '--json-strict', '--agent', parley.agent(asks), 'Hi'];
    expect((await parley.run(args)).stderr).toBe('');
  });
});
