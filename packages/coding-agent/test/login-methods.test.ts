import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

describe('an agent without a key', () => {
  it('offers logins that name the variable of each provider, and works without one', async () => {
    const project = await makeProject();
    const connection = await startInProcess();
    expect(connection.authMethods).toContainEqual({
      id: 'anthropic-api-key',
      name: 'Anthropic: ANTHROPIC_API_KEY',
      description: expect.stringContaining('Set ANTHROPIC_API_KEY'),
      _meta: { 'parley/env': ['ANTHROPIC_API_KEY'] },
    });
    expect(connection.authMethods.map(({ id }) => id)).toContain('deepseek-api-key');
    const refused = connection.authenticate('anthropic-api-key');
    await expect(refused).rejects.toThrow('Then start it again');
    await expect(refused).rejects.toMatchObject({ code: -32000, data: { kind: 'auth_failed' } });
    const session = await connection.newSession({ cwd: project.path });
    expect((await session.prompt('help').result).text).toContain('offline model');
  });

  it('offers none once there is a model', async () => {
    const { env } = await startModel();
    expect((await startInProcess({ agent: { env } })).authMethods).toEqual([]);
  });
});

describe('the levels of thinking of a session', () => {
  it('are those of its model, and a level that another model lacks goes back to the default', async () => {
    const project = await makeProject();
    const { server } = await startModel();
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    const thinking = () => {
      const option = session.transcript.options.find(({ id }) => id === 'thinking');
      const values = option?.type === 'select' ? option.options.map((each) => ('value' in each ? each.value : '')) : [];
      return { current: option?.currentValue, values };
    };
    expect(thinking().values).toEqual(['default', 'off', 'low', 'medium', 'high', 'max']);
    await session.setOption('thinking', 'off');
    await session.setOption('model', 'anthropic/claude-opus-5-5');
    expect(thinking()).toEqual({ current: 'default', values: ['default', 'low', 'medium', 'high', 'max'] });
    await expect(session.setOption('thinking', 'off')).rejects.toThrow();
    await session.setOption('model', 'offline');
    expect(thinking().values).toEqual(['default']);
  });
});
