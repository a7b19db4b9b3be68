import { END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { connectTo, host, rawClient, scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();

const MODES = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask', icon: 'question' },
    { id: 'code', name: 'Code' },
    { id: 'yolo', name: 'Yolo' },
  ],
};
const option = (currentValue: string): object => ({
  id: 'llm',
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue,
  options: [
    { value: 'small', name: 'Small', price: 1 },
    { value: 'large', name: 'Large' },
  ],
  badge: 'new',
});
const SESSION = { modes: MODES, configOptions: [option('small')] };
const SCRIPT = {
  session: SESSION,
  on: {
    'session/set_config_option': [{ do: 'respond', result: { configOptions: [option('large')] } }],
    'session/prompt': [
      { do: 'update', update: { sessionUpdate: 'current_mode_update', currentModeId: 'code', byRule: true } },
      { do: 'update', update: { sessionUpdate: 'config_option_update', configOptions: [option('large')] } },
      END_TURN,
    ],
  },
} as const;

describe('modes and options of a hosted agent', () => {
  it('are those of its session, as it told them', async () => {
    const client = await rawClient(host(scripted(SCRIPT)));
    const opened = await client.request('session/new', { cwd: process.cwd(), mcpServers: [] });
    expect(opened).toEqual({ sessionId: expect.any(String), ...SESSION });
  });

  it('come with what the agent says beside them, and with models in the words of older agents', async () => {
    const models = {
      currentModelId: 'a',
      availableModels: [
        { modelId: 'a', name: 'A' },
        { modelId: 'b', name: 'B' },
      ],
    };
    const session = { models, featureFlags: { x: 1 }, _meta: { trace: 1 } };
    const client = await rawClient(
      host(scripted({ session, on: { 'session/set_model': [{ do: 'respond', result: {} }] } })),
    );
    const opened = await client.request('session/new', { cwd: process.cwd(), mcpServers: [] });
    expect(opened).toMatchObject(session);
    const { sessionId } = opened;
    expect(await client.request('session/set_model', { sessionId, modelId: 'b' })).toEqual({});
    const loaded = await client.request('session/load', { sessionId, cwd: process.cwd(), mcpServers: [] });
    expect(loaded).toMatchObject({ ...session, models: { ...models, currentModelId: 'b' } });
  });

  it('are set at the agent, told to every viewer, and kept with the session', async () => {
    const hosted = host(scripted(SCRIPT));
    const [one, two] = [await rawClient(hosted), await rawClient(hosted)];
    const sessionId = await one.open();
    await two.request('session/resume', { sessionId, cwd: process.cwd(), mcpServers: [] });
    expect(await one.request('session/set_mode', { sessionId, modeId: 'yolo' })).toEqual({});
    expect(await one.request('session/set_config_option', { sessionId, configId: 'llm', value: 'large' })).toEqual({
      configOptions: [option('large')],
    });
    await until(() => two.updates.length === 2);
    expect(two.updates).toEqual([
      { sessionUpdate: 'current_mode_update', currentModeId: 'yolo' },
      { sessionUpdate: 'config_option_update', configOptions: [option('large')] },
    ]);
    const three = await rawClient(hosted);
    const loaded = await three.request('session/load', { sessionId, cwd: process.cwd(), mcpServers: [] });
    expect(loaded).toMatchObject({ modes: { currentModeId: 'yolo' }, configOptions: [{ currentValue: 'large' }] });
  });

  it('change when the agent changes them', async () => {
    const hosted = host(scripted(SCRIPT));
    const client = await rawClient(hosted);
    const sessionId = await client.open();
    await client.prompt(sessionId, 'go');
    expect(client.updates).toEqual([
      { sessionUpdate: 'current_mode_update', currentModeId: 'code', byRule: true },
      { sessionUpdate: 'config_option_update', configOptions: [option('large')] },
    ]);
    const other = await rawClient(hosted);
    const resumed = await other.request('session/resume', { sessionId, cwd: process.cwd(), mcpServers: [] });
    expect(resumed).toMatchObject({ modes: { currentModeId: 'code' }, configOptions: [{ currentValue: 'large' }] });
  });

  it('are refused as the agent refuses them, and stay as they were', async () => {
    const refusing = {
      session: SESSION,
      on: { 'session/set_mode': [{ do: 'fail', code: -32099, message: 'Not in this plan', data: { plan: 'free' } }] },
    } as const;
    const hosted = host(scripted(refusing));
    const client = await rawClient(hosted);
    const sessionId = await client.open();
    await expect(client.request('session/set_mode', { sessionId, modeId: 'code' })).rejects.toMatchObject({
      code: -32099,
      message: 'Not in this plan',
      data: { plan: 'free' },
    });
    expect(client.updates).toEqual([]);
    const other = await rawClient(hosted);
    const resumed = await other.request('session/resume', { sessionId, cwd: process.cwd(), mcpServers: [] });
    expect(resumed).toMatchObject({ modes: { currentModeId: 'ask' } });
  });

  it('are an option for clients of version 2', async () => {
    const hosted = host(scripted(SCRIPT));
    const connection = await connectTo(hosted, { protocol: 2 });
    expect(connection.protocolVersion).toBe(2);
    const session = await connection.newSession({ cwd: process.cwd() });
    expect(session.transcript.options.map(({ id, currentValue }) => [id, currentValue])).toEqual([
      ['mode', 'ask'],
      ['llm', 'small'],
    ]);
    await session.setMode('yolo');
    expect(session.transcript.options[0]).toMatchObject({ currentValue: 'yolo' });
    const { stopReason } = await session.prompt('go').result;
    expect(stopReason).toBe('end_turn');
    expect(session.transcript.options.map(({ currentValue }) => currentValue)).toEqual(['code', 'large']);
  });
});

describe('a hosted agent says of itself', () => {
  const CAPABILITIES = {
    promptCapabilities: { image: true, embeddedContext: true },
    mcpCapabilities: { http: true },
    sessionCapabilities: { additionalDirectories: {} },
    auth: { logout: {} },
    _meta: { vendor: { queue: true } },
  };

  it('what the agent said, and what this host adds to it', async () => {
    const script = {
      capabilities: CAPABILITIES,
      authMethods: [{ id: 'key', name: 'Key', description: 'A key', _meta: { form: 1 } }],
    };
    const { initialized } = await rawClient(host(scripted(script)));
    expect(initialized).toMatchObject({
      agentInfo: { name: 'scripted', version: '1.0.0' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { additionalDirectories: {}, resume: {}, list: {}, delete: {}, close: {} },
        auth: { logout: {} },
        _meta: { vendor: { queue: true } },
      },
      authMethods: script.authMethods,
    });
  });

  it('that it wants a login first, and passes the login and the logout on', async () => {
    const script = {
      capabilities: CAPABILITIES,
      authMethods: [{ id: 'key', name: 'Key' }],
      on: {
        'session/new': [{ do: 'fail', code: -32000, message: 'Log in first', data: { at: 'vendor' } }],
        authenticate: [
          { do: 'notify', method: '_seen', params: { login: true } },
          { do: 'respond', result: {} },
        ],
        logout: [
          { do: 'notify', method: '_seen', params: { logout: true } },
          { do: 'respond', result: {} },
        ],
      },
    } as const;
    const client = await rawClient(host(scripted(script)));
    const seen: unknown[] = [];
    client.connection.onNotification('_seen', (params) => seen.push(params));
    await expect(client.open()).rejects.toMatchObject({
      code: -32000,
      message: 'Log in first',
      data: { at: 'vendor' },
    });
    await client.request('authenticate', { methodId: 'key' });
    await client.request('logout', {});
    await until(() => seen.length === 2);
    await expect(client.request('authenticate', { methodId: 'none' })).rejects.toMatchObject({ code: -32602 });
  });
});
