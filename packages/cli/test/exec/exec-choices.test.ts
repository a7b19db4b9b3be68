import { type FakeModelServer, startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { choosing, confirming } from '../support/consent-agents.ts';
import { useParley } from '../support/parley.ts';
import { runInTerminal } from '../support/terminal.ts';

const parley = useParley();

/** What the model gets to read as the result of its question. */
const NO_ANSWER = 'No answer was given: do not assume one.';
const QUESTION = { question: 'Delete the production database?', choices: ['Yes, delete everything', 'No, keep it'] };

/** A model that asks whether it may delete everything. */
async function openModel(): Promise<{ server: FakeModelServer; env: Record<string, string>; heard: () => string }> {
  const server = await startFakeModelServer({
    script: [{ events: [{ type: 'tool_call', name: 'ask_user', input: QUESTION }] }, 'All right.'],
  });
  onTestFinished(() => server.close());
  const env = { PARLEY_BASE_URL: `${server.url}/v1`, PARLEY_MODEL: 'fake-model' };
  const heard = (): string => JSON.stringify(server.requests.map(({ body }) => body));
  return { server, env, heard };
}

describe('a question of the model', () => {
  it.each([
    [[]],
    [['--approve-all']],
    [['--allow', 'Think']],
    [['--allow', '*']],
    [['--permission-mode', 'plan']],
    [['--permission-mode', 'acceptEdits']],
    [['--format', 'quiet']],
    [['--format', 'json']],
    [['--deny-all']],
  ])('is answered by nobody where nobody is there: exec %j', async (flags) => {
    const { env, heard } = await openModel();
    await parley.run(['exec', ...flags, 'Go on'], { env });
    expect(heard()).toContain(NO_ANSWER);
    expect(heard()).not.toContain('The person answered');
  });

  it('ends a run that is to fail where nobody can be asked, and no flag is offered for it', async () => {
    const { env, heard } = await openModel();
    const { code, stderr } = await parley.run(['exec', '--non-interactive-permissions', 'fail', 'Go on'], { env });
    expect(code).toBe(5);
    expect(stderr).toContain('nobody can be asked: Ask: Delete the production database?');
    expect(stderr).not.toContain('--approve-all');
    expect(heard()).not.toContain('The person answered');
  });

  it('is answered by nobody in the background', async () => {
    const { env, heard } = await openModel();
    const { code } = await parley.run(['sessions', 'new', '--name', 'choices'], { env });
    expect(code).toBe(0);
    await parley.run(['prompt', '-s', 'choices', '--no-wait', 'Go on'], { env });
    await expect.poll(heard, { timeout: 20_000 }).toContain(NO_ANSWER);
    expect(heard()).not.toContain('The person answered');
  });

  it('is answered by nobody at a terminal whose output is for a program', async () => {
    const { env, heard } = await openModel();
    await runInTerminal({ ...parley, program: parley.program, env: { ...parley.env, ...env } }, [
      ...['exec', '--format', 'json', 'Go on'],
    ]);
    expect(heard()).toContain(NO_ANSWER);
    expect(heard()).not.toContain('The person answered');
  });
});

describe('a question of another agent', () => {
  it.each([[[]], [['--permission-mode', 'acceptEdits']], [['--permission-mode', 'plan']]])(
    'of kind think with one approval is refused where nobody is there: exec %j',
    async (flags) => {
      const { code, stdout, stderr } = await parley.run([
        ...['exec', ...flags, '--agent', parley.agent(confirming), 'Hi'],
      ]);
      expect(stdout).toContain('"optionId":"no"');
      expect(stderr).toContain('not allowed: Delete the production database?');
      expect(code).toBe(5);
    },
  );

  it.each([
    ['think', []],
    ['think', ['--approve-all']],
    ['other', ['--allow', '*']],
    ['execute', ['--approve-all']],
    ['other', ['--permission-mode', 'bypassPermissions']],
    ['switch_mode', ['--approve-all']],
  ])('of kind %s is refused where nobody is there: exec %j', async (kind, flags) => {
    const { code, stdout, stderr } = await parley.run([
      'exec',
      ...flags,
      '--agent',
      parley.agent(choosing(kind)),
      'Hi',
    ]);
    expect(stdout).toContain('"optionId":"none"');
    expect(stderr).toContain('Several answers are offered; only a person can choose one.');
    expect(stderr).not.toContain('try:');
    expect(code).toBe(5);
  });

  it.each([
    ['think', []],
    ['execute', ['--approve-all']],
    ['think', ['--permission-mode', 'plan']],
  ])('of kind %s is put to the person at a terminal: exec %j', async (kind, flags) => {
    let isAnswered = false;
    const args = ['exec', ...flags, '--agent', parley.agent(choosing(kind)), 'Hi'];
    const { output } = await runInTerminal(parley, args, (shown) => {
      if (isAnswered || !shown.includes('choose: ')) return '';
      isAnswered = true;
      return '2\r';
    });
    expect(output).toContain('Waiting for you: Which database shall I drop?');
    expect(output).toContain('"optionId":"test"');
  });
});
