import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

describe('the tokens of a turn', () => {
  it('are told with the answer to its prompt: all requests that it made to the model', async () => {
    const project = await makeProject({ 'a.txt': 'alpha' });
    const { env } = await startModel({
      script: [
        {
          events: [
            { type: 'tool_call', name: 'read_file', input: { path: 'a.txt' } },
            { type: 'usage', input: 100, output: 5 },
          ],
        },
        {
          events: [
            { type: 'text', text: 'It says alpha.' },
            { type: 'usage', input: 120, output: 7, cached: 90 },
          ],
        },
      ],
    });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    const { usage } = await session.prompt('What does a.txt say?').result;
    expect(usage).toMatchObject({ inputTokens: 220, outputTokens: 12, totalTokens: 232, cachedReadTokens: 90 });
    expect(session.tokens).toEqual(usage);
  });
});
