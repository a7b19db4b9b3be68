import { RpcError } from '@parley/jsonrpc';
import type { SessionEvent } from '@parley/session';
import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import { agent, type DeletedSession, type OwnSettings } from '../src/index.ts';
import { ALL_CAPABILITIES, CWD, connectRawClient, errorOf, settle, testAgent, until } from './raw-client.ts';

const OWN: OwnSettings = {
  modes: [
    { id: 'ask', name: 'Ask', _meta: { colour: 'red' } },
    { id: 'code', name: 'Code' },
  ],
  mode: 'ask',
  options: [
    { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false },
    {
      id: 'llm',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: 'small',
      options: [
        { value: 'small', name: 'Small' },
        { value: 'large', name: 'Large' },
      ],
    },
  ],
  commands: [{ name: 'plan', description: 'Plans' }],
};

describe('settings of a session of its own', () => {
  const build = (store = memoryStore({ isShared: true })) =>
    agent({ name: 'a', version: '1', sessionSettings: true, store })
      .onSession(({ session, reason }) => {
        if (reason === 'new') session.setSettings(OWN);
      })
      .onSetting(({ value }) => {
        if (value === 'code') throw new RpcError(-32001, 'Not today', { until: 'tomorrow' });
      })
      .onPrompt(async (turn) => void turn.say(JSON.stringify([turn.session.mode, turn.session.options])));

  it('are told as they stand, changed by the client, and found again by another process', async () => {
    const store = memoryStore({ isShared: true });
    const first = connectRawClient(build(store));
    await first.initialize(ALL_CAPABILITIES);
    const opened = await first.newSession();
    const { sessionId } = opened;
    expect(opened.modes).toEqual({ currentModeId: 'ask', availableModes: OWN.modes });
    expect(opened.configOptions).toEqual(OWN.options);
    await first.request('session/set_config_option', { sessionId, configId: 'llm', value: 'large' });
    await first.request('session/set_model', { sessionId, modelId: 'large' });
    await first.prompt(sessionId, 'go');
    expect(first.said()).toBe(JSON.stringify(['ask', { fast: false, llm: 'large' }]));
    await first[Symbol.asyncDispose]();

    await using second = connectRawClient(build(store));
    await second.initialize(ALL_CAPABILITIES);
    const loaded = await second.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    expect(loaded).toMatchObject({ modes: { currentModeId: 'ask' }, configOptions: [{}, { currentValue: 'large' }] });
    expect(second.updates()).toContainEqual({
      sessionUpdate: 'available_commands_update',
      availableCommands: OWN.commands,
    });
  });

  it('are refused as their author refuses them, and stay as they were', async () => {
    await using client = connectRawClient(build());
    await client.initialize(ALL_CAPABILITIES);
    const { sessionId } = await client.newSession();
    const refused = await errorOf(client.request('session/set_mode', { sessionId, modeId: 'code' }));
    expect(refused).toEqual({ code: -32001, message: 'Not today', data: { until: 'tomorrow' } });
    expect(await errorOf(client.request('session/set_mode', { sessionId, modeId: 'none' }))).toMatchObject({
      code: -32602,
    });
    await client.prompt(sessionId, 'go');
    expect(client.said()).toContain('"ask"');
  });

  it('are told by events of the author as they come, and not twice', async () => {
    const events: SessionEvent[] = [
      { type: 'mode', modeId: 'code' },
      { type: 'mode', modeId: 'code' },
      { type: 'mode', modeId: 'code', meta: { again: true } },
      { type: 'config', options: [] },
    ];
    const built = agent({ name: 'a', version: '1', sessionSettings: true })
      .onSession(({ session }) => session.setSettings(OWN))
      .onPrompt(async (turn) => {
        for (const event of events) void turn.update(event);
      });
    await using client = connectRawClient(built);
    await client.initialize(ALL_CAPABILITIES);
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'go');
    expect(client.updates().filter(({ sessionUpdate }) => sessionUpdate !== 'available_commands_update')).toEqual([
      { sessionUpdate: 'current_mode_update', currentModeId: 'code' },
      { sessionUpdate: 'current_mode_update', currentModeId: 'code', _meta: { again: true } },
      { sessionUpdate: 'config_option_update', configOptions: [] },
    ]);
  });

  it('need an agent that says so', async () => {
    const { built, diagnostics } = testAgent();
    built.onSession(({ session }) => session.setSettings(OWN)).onPrompt(async () => {});
    await using client = connectRawClient(built);
    await client.initialize();
    await errorOf(client.newSession());
    expect(String(diagnostics[0]?.error)).toContain('sessionSettings');
  });
});

describe('a relay', () => {
  it('passes on what no version of the protocol knows, and the tokens and the reason of the end', async () => {
    const built = agent({ name: 'a', version: '1', relay: true }).onPrompt(async (turn) => {
      void turn.update({ type: 'unknown', variant: 'chart_update', raw: { sessionUpdate: 'chart_update', x: 1 } });
      void turn.update({ type: 'plan', entries: [{ content: 'x', priority: 'high', status: 'in_progress' }] });
      return { stopReason: 'refusal', meta: { trace: 1 }, tokens: { inputTokens: 1, outputTokens: 2, totalTokens: 9 } };
    });
    await using client = connectRawClient(built);
    await client.initialize(ALL_CAPABILITIES);
    const { sessionId } = await client.newSession();
    expect(await client.prompt(sessionId, 'go')).toEqual({
      stopReason: 'refusal',
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 9 },
      _meta: { trace: 1 },
    });
    expect(client.updates()).toEqual([
      { sessionUpdate: 'chart_update', x: 1 },
      { sessionUpdate: 'plan', entries: [{ content: 'x', priority: 'high', status: 'in_progress' }] },
    ]);
  });

  it('answers and takes methods that are no part of the protocol, whatever their names', async () => {
    const heard: unknown[] = [];
    const built = agent({ name: 'a', version: '1' })
      .onRequest('_known', () => 'known')
      .onAnyRequest(({ method, params }) => {
        if (method === 'x.ai/none') throw RpcError.methodNotFound(method);
        return { method, params };
      })
      .onAnyNotification(({ method, params }) => heard.push([method, params]))
      .onPrompt(async () => {});
    await using client = connectRawClient(built);
    await client.initialize();
    client.notify('x.ai/early', { n: 1 });
    expect(await client.request('x.ai/thing', { a: 1 })).toEqual({ method: 'x.ai/thing', params: { a: 1 } });
    expect(await client.request('_known')).toBe('known');
    expect(await errorOf(client.request('x.ai/none'))).toMatchObject({ code: -32601 });
    client.notify('_late');
    await until(() => heard.length === 2);
    expect(heard).toEqual([
      ['x.ai/early', { n: 1 }],
      ['_late', undefined],
    ]);
  });
});

describe('a session', () => {
  it('asks every client a question in its own words, outside of turns too', async () => {
    const answers: unknown[] = [];
    const built = agent({ name: 'a', version: '1', store: memoryStore({ isShared: true }) })
      .onNotification('_ask', ({ session, params }) => {
        const { sessionId } = params as { sessionId: string };
        void session(sessionId)
          ?.ask({
            type: 'permission',
            toolCall: { toolCallId: 't', title: 'rm' },
            options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
            meta: { why: 1 },
          })
          .then((answer) => answers.push(answer));
      })
      .onPrompt(async () => {});
    await using client = connectRawClient(built);
    const asked: unknown[] = [];
    client.connection.onRequest('session/request_permission', ({ params }) => {
      asked.push(params);
      return { outcome: { outcome: 'selected', optionId: 'y' }, _meta: { seen: true } };
    });
    await client.initialize();
    const { sessionId } = await client.newSession();
    client.notify('_ask', { sessionId });
    await until(() => answers.length === 1);
    expect(asked).toMatchObject([{ toolCall: { toolCallId: 't' }, _meta: { why: 1 } }]);
    expect(answers).toEqual([{ type: 'permission', optionId: 'y', meta: { seen: true } }]);
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
  });

  it('gets no answer to a form from clients that know no forms', async () => {
    let answer: unknown;
    const built = agent({ name: 'a', version: '1' }).onPrompt(async ({ session }) => {
      answer = await session.ask({ type: 'form', message: 'Which?', form: { type: 'object', properties: {} } });
    });
    await using client = connectRawClient(built);
    await client.initialize();
    await client.prompt((await client.newSession()).sessionId, 'go');
    expect(answer).toEqual({ type: 'form', action: 'cancel' });
  });

  it('tells its author why it ends, and what it held when it was deleted', async () => {
    const ends: string[] = [];
    const deleted: DeletedSession[] = [];
    const built = agent({ name: 'a', version: '1' })
      .onSession(({ session }) => {
        session.state.mark = session.id;
        return (end) => void ends.push(end);
      })
      .onDelete((each) => void deleted.push(each))
      .onPrompt(async () => {});
    const client = connectRawClient(built);
    await client.initialize();
    const ids = [];
    for (let each = 0; each < 3; each += 1) ids.push((await client.newSession()).sessionId);
    await client.request('session/close', { sessionId: ids[0] });
    await client.request('session/delete', { sessionId: ids[1] });
    await client[Symbol.asyncDispose]();
    await settle();
    expect(ends).toEqual(['closed', 'deleted', 'left']);
    expect(deleted).toEqual([{ sessionId: ids[1], principal: 'local', state: { mark: ids[1] } }]);
  });

  it('reaches the client of the prompt that runs, and nobody when no client is there', async () => {
    let text: unknown;
    const built = agent({ name: 'a', version: '1' }).onPrompt(async ({ session }) => {
      text = await session.client.request('_hello', { n: 1 });
    });
    await using client = connectRawClient(built);
    client.connection.onRequest('_hello', ({ params }) => params);
    await client.initialize();
    await client.prompt((await client.newSession()).sessionId, 'go');
    expect(text).toEqual({ n: 1 });
  });
});
