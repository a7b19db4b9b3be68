import { agent } from '@parley/agent';
import { createConnection } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../index.ts';

const MODELS = {
  currentModelId: 'small',
  availableModels: [
    { modelId: 'small', name: 'Small' },
    { modelId: 'large', name: 'Large', description: 'Slow' },
  ],
};

/** An agent from before session options: it knows modes of its own and `session/set_model`. */
async function openOldAgent(opened: object) {
  const [near, far] = createMemoryPair();
  const old = createConnection(far);
  const chosen: unknown[] = [];
  old.onRequest('initialize', () => ({ protocolVersion: 1 }));
  old.onRequest('session/new', () => ({ sessionId: 's', ...opened }));
  old.onRequest('session/set_model', ({ params }) => {
    chosen.push(params);
    return {};
  });
  old.onRequest('session/set_config_option', () => ({ configOptions: [THINKING] }));
  const connection = await connect(near);
  onTestFinished(() => connection.close());
  return { old, chosen, session: await connection.newSession({ cwd: '/' }) };
}

const THINKING = {
  id: 'thinking',
  name: 'Thinking',
  type: 'select',
  currentValue: 'low',
  options: [{ value: 'low', name: 'Low' }],
};

describe('the models of agents from before session options', () => {
  it('are an option of the session, and choosing one goes by session/set_model', async () => {
    const { session, chosen } = await openOldAgent({ models: MODELS });
    expect(session.transcript.options).toMatchObject([
      { id: 'model', category: 'model', currentValue: 'small', options: [{ value: 'small' }, { value: 'large' }] },
    ]);
    await session.setOption('model', 'large');
    expect(chosen).toEqual([{ sessionId: 's', modelId: 'large' }]);
    expect(session.transcript.options).toMatchObject([{ id: 'model', currentValue: 'large' }]);
    await expect(session.setOption('model', 'none')).rejects.toMatchObject({ code: 'unknown_choice' });
  });

  it('stay among the options when the agent tells the others anew', async () => {
    const { session, old } = await openOldAgent({ models: MODELS, configOptions: [THINKING] });
    expect(session.transcript.options.map(({ id }) => id)).toEqual(['thinking', 'model']);
    await session.setOption('thinking', 'low');
    expect(session.transcript.options.map(({ id }) => id)).toEqual(['thinking', 'model']);
    const changed = new Promise((resolve) => session.on('change', resolve));
    const update = { sessionUpdate: 'config_option_update', configOptions: [THINKING] };
    void old.notify('session/update', { sessionId: 's', update });
    await changed;
    expect(session.transcript.options.map(({ id }) => id)).toEqual(['thinking', 'model']);
  });

  it('are left alone where the agent has an option for them', async () => {
    const model = { ...THINKING, id: 'llm', category: 'model' };
    const { session } = await openOldAgent({ models: MODELS, configOptions: [model] });
    expect(session.transcript.options.map(({ id }) => id)).toEqual(['llm']);
  });

  it('are told by our agents to those who ask for it, and session/set_model changes the option', async () => {
    const [near, far] = createMemoryPair();
    const served = agent({ name: 'a', version: '1', legacyModels: true })
      .option({ id: 'llm', name: 'Model', category: 'model', values: ['small', 'large'] })
      .onPrompt(async (turn) => void turn.say(String(turn.session.options.llm)))
      .serve(far);
    const client = createConnection(near);
    onTestFinished(async () => {
      await client.close();
      await served;
    });
    await client.request('initialize', { protocolVersion: 1 });
    const opened = await client.request('session/new', { cwd: '/', mcpServers: [] });
    const { sessionId, models } = opened as { sessionId: string; models: unknown };
    expect(models).toEqual({
      currentModelId: 'small',
      availableModels: [
        { modelId: 'small', name: 'small' },
        { modelId: 'large', name: 'large' },
      ],
    });
    expect(await client.request('session/set_model', { sessionId, modelId: 'large' })).toEqual({});
    const loaded = await client.request('session/load', { sessionId, cwd: '/', mcpServers: [] });
    expect(loaded).toMatchObject({ models: { currentModelId: 'large' }, configOptions: [{ currentValue: 'large' }] });
    for (const params of [{ sessionId, modelId: 'none' }, { sessionId }]) {
      await expect(client.request('session/set_model', params)).rejects.toMatchObject({ code: -32602 });
    }
  });
});
