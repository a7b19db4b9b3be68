import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

/** A busy machine must not decide whether a server is found. */
const unhurried = { listTimeoutMs: 3_400, probeTimeoutMs: 3_400 };

describe('the first session of a process', () => {
  it.each([
    ['a key with an address of its own', (url: string) => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1` })],
    ['an address alone', (url: string) => ({ PARLEY_BASE_URL: `${url}/v1` })],
    [
      'a bare name of a model',
      (url: string) => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1`, PARLEY_MODEL: 'house-model' }),
    ],
  ])('begins on the model of %s', async (_, envFor) => {
    const project = await makeProject();
    const { server } = await startModel({ script: ['Hello from the house.'], models: ['house-model', 'other'] });
    const connection = await startInProcess({ agent: { env: envFor(server.url), discover: unhurried } });
    const session = await connection.newSession({ cwd: project.path });
    const model = session.transcript.options.find(({ id }) => id === 'model');
    expect(model?.currentValue).toMatch(/\/house-model$/);
    expect((await session.prompt('hello').result).text).toBe('Hello from the house.');
  });

  it('begins on a bare name that only a server on this machine has', async () => {
    const project = await makeProject();
    const { server } = await startModel({ script: ['Local.'], models: ['qwen3:8b'] });
    const localServers = [{ provider: 'ollama', label: 'Ollama', baseUrl: `${server.url}/v1` }];
    const connection = await startInProcess({
      agent: { env: { PARLEY_MODEL: 'qwen3:8b' }, discover: { ...unhurried, localServers } },
    });
    const session = await connection.newSession({ cwd: project.path });
    expect((await session.prompt('hello').result).text).toBe('Local.');
  });

  it('says why it begins offline when the named server does not answer', async () => {
    const project = await makeProject();
    const env = { PARLEY_BASE_URL: 'http://127.0.0.1:9/v1' };
    const connection = await startInProcess({ agent: { env, discover: unhurried } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('hello').result;
    const notices = session.transcript.entries.toArray().filter(({ type }) => type === 'notice');
    expect(notices).toMatchObject([
      { title: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/v1 did not say .* Using the offline model\.$/) },
    ]);
  });

  it.each([
    ['editor', 'two'],
    ['parley', 'one'],
  ])(
    'begins on the model that was chosen last, unless the flags of our command chose it: %s',
    async (name, expected) => {
      const project = await makeProject();
      const { server } = await startModel({ models: ['one', 'two'] });
      let kept: string | undefined;
      const lastModel = {
        load: async () => kept,
        save: async (id: string) => {
          kept = id;
        },
      };
      const agent = { env: { PARLEY_BASE_URL: `${server.url}/v1` }, discover: unhurried, lastModel };
      const connection = await startInProcess({ agent, clientInfo: { name, version: '1' } });
      const first = await connection.newSession({ cwd: project.path });
      const modelOf = (session: typeof first) =>
        session.transcript.options.find(({ id }) => id === 'model')?.currentValue;
      const one = modelOf(first);
      const two = String(one).replace(/one$/, 'two');
      await first.setOption('model', two);
      const second = await connection.newSession({ cwd: project.path });
      expect(modelOf(second)).toBe(String(one).replace(/one$/, expected));
      await second.prompt(`/model ${two}`).result;
      expect(kept).toBe(two);
      expect(modelOf(await connection.newSession({ cwd: project.path }))).toBe(two);
    },
  );

  it('keeps the model that was chosen when it is opened again', async () => {
    const project = await makeProject();
    const { server } = await startModel({ models: ['one', 'two'] });
    const env = { PARLEY_BASE_URL: `${server.url}/v1` };
    const connection = await startInProcess({ agent: { env, discover: unhurried } });
    const session = await connection.newSession({ cwd: project.path });
    await session.setOption('model', 'custom/two');
    server.add('Hello.');
    await session.prompt('hello').result;
    await session.close();
    const again = await connection.loadSession(session.id, { cwd: project.path });
    expect(again.transcript.options.find(({ id }) => id === 'model')?.currentValue).toBe('custom/two');
  });

  it('asks nobody when nothing is configured', async () => {
    const project = await makeProject();
    const asked: string[] = [];
    const fetch = (url: string): Promise<Response> => {
      asked.push(url);
      return Promise.reject(new TypeError('no network in this test'));
    };
    const connection = await startInProcess({ agent: { env: {}, discover: { fetch } } });
    await connection.newSession({ cwd: project.path });
    expect(asked).toEqual([]);
  });
});
