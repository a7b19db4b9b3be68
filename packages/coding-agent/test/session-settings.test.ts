import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

describe('what a client sets in _meta of the session', () => {
  it('takes the place of who the agent is, and leaves the facts', async () => {
    const project = await makeProject({ 'AGENTS.md': 'Use tabs.' });
    const { server, env } = await startModel({ script: ['Arr.', 'Arr.'] });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path, meta: { systemPrompt: 'You are a pirate.' } });
    await session.prompt('hello').result;
    const body = JSON.stringify(server.requests.at(-1)?.body);
    expect(body).toContain('You are a pirate.');
    expect(body).toContain(`Working directory: ${project.path}`);
    expect(body).toContain('Use tabs.');
    expect(body).not.toContain('You are Parley');
  });

  it('is told last when it is only appended, and still holds when the session is opened again', async () => {
    const project = await makeProject();
    const { server, env } = await startModel({ script: ['Yes.', 'Yes.'] });
    const connection = await startInProcess({ agent: { env } });
    const options = { cwd: project.path };
    const session = await connection.newSession({ ...options, meta: { systemPrompt: { append: 'Answer in Latin.' } } });
    await session.prompt('hello').result;
    await session.close();
    const again = await connection.resumeSession(session.id, options);
    await again.prompt('hello').result;
    for (const { body } of server.requests) {
      expect(JSON.stringify(body)).toContain('You are Parley');
      expect(JSON.stringify(body)).toContain('Answer in Latin.');
    }
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    [
      ['Read', 'run_command'],
      ['read_file', 'run_command'],
    ],
    [['grep'], ['list_files', 'search_files']],
    [[], []],
  ])('lets only these tools exist: %j', async (allowedTools, expected) => {
    const project = await makeProject();
    const { server, env } = await startModel({
      script: [{ events: [{ type: 'tool_call', name: 'write_file', input: { path: 'a', content: 'b' } }] }, 'Oh.'],
    });
    const connection = await startInProcess({ agent: { env, permissions: { mode: 'bypassPermissions' } } });
    const meta = { claudeCode: { options: { allowedTools } } };
    const session = await connection.newSession({ cwd: project.path, meta });
    await session.prompt('write').result;
    expect([...(server.requests.at(-1)?.tools ?? [])].sort()).toEqual(expected);
    await expect(project.read('a')).rejects.toThrow('ENOENT');
  });

  it('bounds the requests of a turn, and never widens what the agent was given', async () => {
    const project = await makeProject({ 'a.txt': 'x' });
    const again = {
      events: [{ type: 'tool_call', name: 'read_file', input: { path: 'a.txt' } }],
      repeat: true,
    } as const;
    const { server, env } = await startModel({ script: [again] });
    const connection = await startInProcess({ agent: { env, maxRequests: 3 } });
    const turnWith = async (maxTurns: unknown): Promise<number> => {
      const before = server.requests.length;
      const meta = { claudeCode: { options: { maxTurns } } };
      const session = await connection.newSession({ cwd: project.path, meta });
      expect((await session.prompt('loop').result).stopReason).toBe('max_turn_requests');
      return server.requests.length - before;
    };
    expect(await turnWith(2)).toBe(2);
    expect(await turnWith(50)).toBe(3);
    expect(await turnWith('many')).toBe(3);
  });
});
