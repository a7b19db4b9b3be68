import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { person, useAgentProcesses } from './agent-process.ts';

const agents = useAgentProcesses();

const wires: readonly { name: string; env: (url: string) => Record<string, string> }[] = [
  { name: 'openai-chat', env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, PARLEY_MODEL: 'openai/fake-model' }) },
  {
    name: 'openai-responses',
    env: (url) => ({ PARLEY_BASE_URL: `${url}/v1`, PARLEY_WIRE: 'openai-responses', PARLEY_MODEL: 'fake-model' }),
  },
  {
    name: 'anthropic',
    env: (url) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url, PARLEY_MODEL: 'anthropic/fake-model' }),
  },
  {
    name: 'gemini',
    env: (url) => ({ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url, PARLEY_MODEL: 'gemini/fake-model' }),
  },
];

describe.each(wires)('the agent on a model that speaks $name', ({ name, env }) => {
  it('fixes a bug: thinks, looks at two files at once, edits, runs the test, and says so', async () => {
    const project = await agents.project({
      'sum.mjs': 'export const sum = (a, b) => a - b;\n',
      'test.mjs':
        "import { sum } from './sum.mjs';\nif (sum(1, 2) !== 3) throw new Error('wrong');\nconsole.log('passed');\n",
      'AGENTS.md': 'Always say "yessir".',
    });
    const server = await startFakeModelServer({
      script: [
        { error: 'overloaded' },
        {
          events: [
            { type: 'thought', text: 'I should look first.', signature: 'sig' },
            { type: 'text', text: 'Let me look. ' },
            { type: 'tool_call', name: 'read_file', input: { path: 'sum.mjs' } },
            { type: 'tool_call', name: 'read_file', input: { path: 'test.mjs' } },
            { type: 'usage', input: 1000, output: 50 },
          ],
        },
        {
          events: [
            { type: 'tool_call', name: 'edit_file', input: { path: 'sum.mjs', old_text: 'a - b', new_text: 'a + b' } },
            { type: 'tool_call', name: 'run_command', input: { command: 'node test.mjs' } },
          ],
        },
        {
          events: [
            { type: 'text', text: 'Fixed, yessir.', chunkChars: 3 },
            { type: 'usage', input: 1200, output: 5 },
          ],
        },
        'Because it said minus.',
      ],
    });
    onTestFinished(() => server.close());
    const { asked, permissions } = person('allow');
    const { connection } = await agents.start({ env: env(server.url), permissions });
    const session = await connection.newSession({ cwd: project.path });

    const result = await session.prompt('Fix the bug.').result;
    expect(result).toMatchObject({ stopReason: 'end_turn', text: expect.stringContaining('Fixed, yessir.') });
    expect(await project.read('sum.mjs')).toContain('a + b');
    expect(asked).toEqual(['Edit sum.mjs', 'node test.mjs']);
    expect(result.toolCalls.map(({ title, status }) => [title, status])).toEqual([
      ['Read sum.mjs', 'completed'],
      ['Read test.mjs', 'completed'],
      ['Edit sum.mjs', 'completed'],
      ['node test.mjs', 'completed'],
    ]);
    // Nobody knows the window of this model, and a guess would show a full one.
    expect(session.transcript.usage).toBeUndefined();
    const notices = session.transcript.entries.toArray().filter(({ type }) => type === 'notice');
    expect(notices).toMatchObject([
      { title: 'Instructions that were read' },
      { title: 'The model did not answer; it was asked for 2 times' },
    ]);

    await session.prompt('Why was it wrong?').result;
    expect(server.requests.map(({ wire }) => wire)).toEqual([name, name, name, name, name]);
    const last = JSON.stringify(server.requests.at(-1)?.body);
    for (const part of ['Always say', 'Let me look.', 'passed', 'Fixed, yessir.', 'Why was it wrong?']) {
      expect(last).toContain(part);
    }
  });

  it('passes on what the provider says when it refuses, and goes on afterwards', async () => {
    const project = await agents.project();
    const server = await startFakeModelServer({ script: [{ error: 'auth' }, 'Now it works.'] });
    onTestFinished(() => server.close());
    const { connection } = await agents.start({ env: env(server.url) });
    const session = await connection.newSession({ cwd: project.path });
    await expect(session.prompt('hello').result).rejects.toThrow(/key/i);
    expect((await session.prompt('again').result).text).toBe('Now it works.');
  });
});
