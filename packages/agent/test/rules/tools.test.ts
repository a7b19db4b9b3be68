import type { SessionUpdate } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { Agent, PromptHandler, Session, ToolCallHandle } from '../../src/index.ts';
import { ALL_CAPABILITIES, CWD, connectRawClient, errorOf, settle, testAgent, until } from '../raw-client.ts';

async function run(
  handler: PromptHandler,
  configure: (built: Agent) => void = () => {},
  capabilities = ALL_CAPABILITIES,
) {
  const { built, diagnostics } = testAgent();
  configure(built);
  const client = connectRawClient(built.onPrompt(handler));
  client.connection.onRequest('terminal/create', () => ({ terminalId: 'term-1' }));
  client.connection.onRequest('terminal/release', () => ({}));
  await client.initialize(capabilities);
  const session = await client.newSession();
  const { sessionId } = session;
  return {
    client,
    diagnostics,
    session,
    sessionId,
    async updates(text = 'go'): Promise<SessionUpdate[]> {
      client.received.splice(0);
      await client.prompt(sessionId, text);
      return client.updates(sessionId);
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

describe('tool calls', () => {
  it('rule 98: are announced with an id of their own and a title before they change', async () => {
    await using test = await run(async (turn) => {
      turn.toolCall({ title: 'First', kind: 'read', rawInput: { path: 'a' } }).start();
      turn.toolCall({ title: 'Second', name: 'grep' }).complete({ text: 'found', rawOutput: { hits: 2 } });
      void turn.update({ type: 'tool_call', toolCallId: 'raw', status: 'completed' });
    });
    const updates = await test.updates();
    const announced = updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
    expect(announced).toMatchObject([
      { title: 'First', kind: 'read', status: 'pending', rawInput: { path: 'a' } },
      { title: 'Second', name: 'grep', status: 'pending' },
      { title: 'raw', toolCallId: 'raw', status: 'completed' },
    ]);
    expect(new Set(announced.map((each) => ('toolCallId' in each ? each.toolCallId : ''))).size).toBe(3);
    expect(updates).toContainEqual(
      expect.objectContaining({
        sessionUpdate: 'tool_call_update',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'found' } }],
        rawOutput: { hits: 2 },
      }),
    );
    const again = (await test.updates()).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
    const ids = [...announced, ...again].flatMap((each) => ('toolCallId' in each ? [each.toolCallId] : []));
    expect(ids.filter((id) => id !== 'raw').length).toBe(new Set(ids.filter((id) => id !== 'raw')).size);
  });

  it('rule 98: say only what they are given when their tool is registered', async () => {
    await using test = await run(
      async (turn) => {
        turn.toolCall({ name: 'read_file', rawInput: { path: 'a.ts' } }).complete();
        turn.toolCall({ name: 'read_file', rawInput: { path: 'b.ts' }, title: 'Peek', kind: 'search' }).complete();
        turn.toolCall({ name: 'other' }).complete();
        turn.toolCall({}).complete();
      },
      (built) =>
        void built.tool({
          name: 'read_file',
          kind: 'read',
          title: (input) => `Read ${(input as { path: string }).path}`,
          locations: (input) => [(input as { path: string }).path],
        }),
    );
    const announced = (await test.updates()).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
    expect(announced).toMatchObject([
      { title: 'Read a.ts', kind: 'read', name: 'read_file', locations: [{ path: `${CWD}/a.ts` }] },
      { title: 'Peek', kind: 'search', name: 'read_file' },
      { title: 'other' },
      { title: 'Tool call' },
    ]);
  });

  it('rule 101: go from pending over in progress to completed or failed, and no further', async () => {
    let kept: ToolCallHandle | undefined;
    await using test = await run(async (turn) => {
      const call = turn.toolCall({ title: 'Run', kind: 'execute' });
      call.start({ text: 'line 1' });
      call.update({ text: 'line 2' });
      call.fail(new Error('exit 1'));
      call.complete();
      call.update({ title: 'Changed' });
      kept = call;
    });
    const updates = await test.updates();
    expect(updates.map((each) => ('status' in each ? each.status : undefined))).toEqual([
      'pending',
      'in_progress',
      undefined,
      'failed',
    ]);
    expect(updates.at(-1)).toMatchObject({
      content: [{ content: { text: 'line 1' } }, { content: { text: 'line 2' } }, { content: { text: 'exit 1' } }],
    });
    expect(kept).toMatchObject({ status: 'failed', isFinal: true });
    expect(test.diagnostics.map(({ kind }) => kind)).toEqual(['tool_call_final', 'tool_call_final']);
  });

  it('rule 102: name files by absolute paths, in locations and diffs, also when told of them raw', async () => {
    await using test = await run(async (turn) => {
      turn
        .toolCall({ title: 'Edit', kind: 'edit', locations: [{ path: 'a.ts', line: 3 }] })
        .complete({ diff: { path: 'src/../b.ts', oldText: null, newText: 'x' } });
      void turn.update({
        type: 'tool_call',
        toolCallId: 'raw',
        title: 'Raw',
        content: [{ type: 'diff', path: 'c.ts', newText: 'y' }],
      });
    });
    const [announced, completed, raw] = await test.updates();
    expect(announced).toMatchObject({ locations: [{ path: `${CWD}/a.ts`, line: 3 }] });
    expect(completed).toMatchObject({ content: [{ type: 'diff', path: `${CWD}/b.ts`, oldText: null, newText: 'x' }] });
    expect(raw).toMatchObject({ content: [{ type: 'diff', path: `${CWD}/c.ts`, newText: 'y' }] });
  });

  it('rule 104: show a terminal of the client before it is released', async () => {
    await using test = await run(async (turn) => {
      const call = turn.toolCall({ title: 'npm test', kind: 'execute' });
      await using terminal = await turn.client.createTerminal({ command: 'npm', args: ['test'] });
      call.start({ terminal });
      call.complete({ exit: { exitCode: 0 } });
    });
    await test.updates();
    const steps = test.client.messages.flatMap((message) => {
      const { method, params } = message as { method?: string; params?: { update?: { content?: unknown } } };
      if (method === 'session/update' && params?.update?.content) return [JSON.stringify(params.update.content)];
      return method?.startsWith('terminal/') ? [method] : [];
    });
    expect(steps).toEqual([
      'terminal/create',
      JSON.stringify([{ type: 'terminal', terminalId: 'term-1' }]),
      'terminal/release',
    ]);
  });

  it('rule 106: run nothing that was asked for until the person has allowed it', async () => {
    const ran: string[] = [];
    await using test = await run(async (turn) => {
      const call = turn.toolCall({ title: turn.text, kind: 'other' });
      const { allowed, because } = await turn.askPermission(call);
      if (!allowed) return call.fail(because);
      ran.push(turn.text);
      call.complete();
    });
    const outcomes: Record<string, object> = {
      allow: { outcome: 'selected', optionId: 'allow_once' },
      reject: { outcome: 'selected', optionId: 'reject_once' },
      cancelled: { outcome: 'cancelled' },
      foreign: { outcome: 'selected', optionId: 'made_up' },
      odd: { outcome: 'sure' },
    };
    let asked: { toolCall: { title: string }; options: unknown[] } | undefined;
    test.client.connection.onRequest('session/request_permission', ({ params }) => {
      asked = params as typeof asked;
      if (asked?.toolCall.title === 'error') throw new Error('broken client');
      return { outcome: outcomes[asked?.toolCall.title ?? ''] };
    });
    for (const text of [...Object.keys(outcomes), 'error']) await test.updates(text);
    expect(ran).toEqual(['allow']);
    expect(asked).toMatchObject({ toolCall: { status: 'pending', kind: 'other' } });
  });
});

describe('plans, commands, modes and options', () => {
  it('rule 115: plans are told whole each time', async () => {
    const entry = { content: 'a', priority: 'high', status: 'pending' } as const;
    await using test = await run(async (turn) => {
      void turn.plan([entry]);
      void turn.plan([
        { ...entry, status: 'completed' },
        { ...entry, content: 'b' },
      ]);
    });
    expect(await test.updates()).toEqual([
      { sessionUpdate: 'plan', entries: [entry] },
      {
        sessionUpdate: 'plan',
        entries: [
          { ...entry, status: 'completed' },
          { ...entry, content: 'b' },
        ],
      },
    ]);
  });

  it('rule 117: commands are told behind the answer to session/new, and whenever they change', async () => {
    await using test = await run(
      async (turn) => turn.commands([{ name: 'deploy', description: 'Deploy' }]),
      (built) => void built.command({ name: 'review', description: 'Review', hint: 'what' }),
    );
    await until(() => test.client.updates().length === 1);
    const positions = test.client.messages.map((message) => ('method' in (message as object) ? 'update' : 'answer'));
    expect(positions).toEqual(['answer', 'answer', 'update']);
    expect(test.client.updates()).toEqual([
      {
        sessionUpdate: 'available_commands_update',
        availableCommands: [{ name: 'review', description: 'Review', input: { hint: 'what' } }],
      },
    ]);
    expect(await test.updates()).toEqual([
      { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'deploy', description: 'Deploy' }] },
    ]);
  });

  const withSettings = (built: Agent): void => {
    built
      .mode({ id: 'ask', name: 'Ask', description: 'Asks first' })
      .mode({ id: 'code', name: 'Code' })
      .option({ id: 'model', name: 'Model', category: 'model', values: ['small', { value: 'large', name: 'Large' }] })
      .option({ id: 'fast', name: 'Fast', default: false });
  };
  const showSettings: PromptHandler = async (turn) =>
    void turn.say(JSON.stringify([turn.session.mode, turn.session.options]));

  it('rule 119: setting an option answers with the complete list', async () => {
    await using test = await run(showSettings, withSettings);
    const { client, sessionId } = test;
    const set = (configId: string, value: unknown, type?: string) =>
      client.request<{ configOptions: { id: string; currentValue: unknown }[] }>('session/set_config_option', {
        sessionId,
        configId,
        value,
        ...(type && { type }),
      });
    const values = (answer: { configOptions: { id: string; currentValue: unknown }[] }) =>
      Object.fromEntries(answer.configOptions.map(({ id, currentValue }) => [id, currentValue]));
    expect(values(await set('model', 'large'))).toEqual({ mode: 'ask', model: 'large', fast: false });
    expect(values(await set('fast', true, 'boolean'))).toEqual({ mode: 'ask', model: 'large', fast: true });
    expect(values(await set('mode', 'code'))).toEqual({ mode: 'code', model: 'large', fast: true });
    await test.updates();
    expect(JSON.parse(client.said())).toEqual(['code', { model: 'large', fast: true }]);
    for (const [id, value, type] of [
      ['model', 'huge'],
      ['nope', 'x'],
      ['fast', 'yes'],
      ['model', true, 'boolean'],
      ['mode', 'nope'],
    ] as const) {
      expect(await errorOf(set(id, value, type)), `${id}=${value}`).toMatchObject({ code: -32602 });
    }
    const unknown = client.request('session/set_config_option', {
      sessionId: 'nope',
      configId: 'model',
      value: 'large',
    });
    expect(await errorOf(unknown)).toMatchObject({ code: -32002 });
  });

  it('rule 120: switches are shown only to clients that say they know them, and set by any that does', async () => {
    await using test = await run(async (turn) => turn.option('fast', !turn.session.options.fast), withSettings, {});
    const { client, session, sessionId } = test;
    expect(session.configOptions?.map(({ id }) => id)).toEqual(['mode', 'model']);
    const set = client.request('session/set_config_option', {
      sessionId,
      configId: 'fast',
      type: 'boolean',
      value: true,
    });
    const answer = (await set) as { configOptions: { id: string }[] };
    expect(answer.configOptions.map(({ id }) => id)).toEqual(['mode', 'model']);
    const [update] = await test.updates();
    expect(update?.sessionUpdate === 'config_option_update' && update.configOptions.map(({ id }) => id)).toEqual([
      'mode',
      'model',
    ]);
  });

  it('rule 122: modes and options stay in step, whichever is set', async () => {
    await using test = await run(showSettings, withSettings);
    const { client, session, sessionId } = test;
    expect(session.modes).toEqual({
      currentModeId: 'ask',
      availableModes: [
        { id: 'ask', name: 'Ask', description: 'Asks first' },
        { id: 'code', name: 'Code' },
      ],
    });
    expect(session.configOptions?.[0]).toMatchObject({
      id: 'mode',
      category: 'mode',
      type: 'select',
      currentValue: 'ask',
    });
    await client.request('session/set_mode', { sessionId, modeId: 'code' });
    expect(client.updates()).toMatchObject([
      { sessionUpdate: 'current_mode_update', currentModeId: 'code' },
      { sessionUpdate: 'config_option_update', configOptions: [{ id: 'mode', currentValue: 'code' }, {}, {}] },
    ]);
    client.received.splice(0);
    await client.request('session/set_config_option', { sessionId, configId: 'mode', value: 'ask' });
    expect(client.updates()[0]).toEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'ask' });
    const loaded = await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    expect(loaded).toMatchObject({ modes: { currentModeId: 'ask' }, configOptions: [{ currentValue: 'ask' }, {}, {}] });
  });

  it('rule 123: an unknown mode is refused with -32602, and a refusal of the agent keeps the old one', async () => {
    await using test = await run(showSettings, (built) => {
      withSettings(built);
      built.onSetting(({ id, value }) => {
        if (id === 'mode' && value === 'code') throw new Error('not today');
      });
    });
    const { client, sessionId } = test;
    expect(await errorOf(client.request('session/set_mode', { sessionId, modeId: 'nope' }))).toMatchObject({
      code: -32602,
    });
    expect(await errorOf(client.request('session/set_mode', { sessionId, modeId: 'code' }))).toMatchObject({
      code: -32603,
    });
    await test.updates();
    expect(JSON.parse(client.said())[0]).toBe('ask');
  });

  it('rule 124: modes can change in the middle of a turn, from either side', async () => {
    await using test = await run(async (turn) => {
      turn.mode('code');
      await until(() => turn.session.mode === 'ask');
    }, withSettings);
    const { client, sessionId } = test;
    const answer = client.prompt(sessionId, 'go');
    await until(() => client.updates().length === 2);
    await client.request('session/set_mode', { sessionId, modeId: 'ask' });
    expect(await answer).toEqual({ stopReason: 'end_turn' });
    const modes = client
      .updates()
      .flatMap((each) => (each.sessionUpdate === 'current_mode_update' ? [each.currentModeId] : []));
    expect(modes).toEqual(['code', 'ask']);
  });
});

describe('notices and compaction', () => {
  it('rule 125: notices reach those who want them, with a title, and are never replayed', async () => {
    const handler: PromptHandler = async (turn) => {
      void turn.notice({ severity: 'warning', title: 'Slow network', description: 'Retrying' });
      void turn.notice({ severity: 'info', title: '' });
      void turn.say('done');
    };
    await using test = await run(handler);
    const updates = await test.updates();
    expect(updates.filter(({ sessionUpdate }) => sessionUpdate === 'notice')).toEqual([
      { sessionUpdate: 'notice', severity: 'warning', title: 'Slow network', description: 'Retrying' },
    ]);
    const { client, sessionId } = test;
    client.received.splice(0);
    await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    expect(client.updates().map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'user_message_chunk',
      'agent_message_chunk',
    ]);
    await using plain = await run(handler, undefined, {});
    expect((await plain.updates()).map(({ sessionUpdate }) => sessionUpdate)).toEqual(['agent_message_chunk']);
  });

  it('rule 126: compaction begins before its pieces and ends once, also when it is forgotten', async () => {
    await using test = await run(async (turn) => {
      const compaction = turn.compaction();
      compaction.chunk('So far ');
      compaction.chunk('so good.');
      if (turn.text === 'forget') return;
      if (turn.text === 'fail') compaction.fail('out of memory');
      else compaction.complete('So far so good.');
      compaction.chunk('late');
      compaction.cancel();
    });
    const told = async (text: string): Promise<unknown[]> =>
      (await test.updates(text)).map((each) =>
        each.sessionUpdate === 'compaction_update' ? [each.status, each.summary ?? each.error] : each.sessionUpdate,
      );
    const chunks = ['compaction_summary_chunk', 'compaction_summary_chunk'];
    const summary = [{ type: 'text', text: 'So far so good.' }];
    expect(await told('go')).toEqual([['in_progress', undefined], ...chunks, ['completed', summary]]);
    expect(await told('fail')).toEqual([['in_progress', undefined], ...chunks, ['failed', 'out of memory']]);
    expect(await told('forget')).toMatchObject([['in_progress', undefined], ...chunks, ['failed', expect.any(String)]]);
  });
});

describe('a session outside of turns', () => {
  it('can be spoken for by the agent at any time', async () => {
    let session: Session | undefined;
    await using test = await run(
      async () => 'end_turn',
      (built) =>
        void built
          .mode({ id: 'a', name: 'A' })
          .mode({ id: 'b', name: 'B' })
          .onSession((context) => {
            ({ session } = context);
          }),
    );
    session?.setMode('b');
    session?.setCommands([{ name: 'x', description: 'X' }]);
    session?.setTitle('Named');
    await until(() => test.client.updates().length === 4);
    expect(test.client.updates().map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'current_mode_update',
      'config_option_update',
      'available_commands_update',
      'session_info_update',
    ]);
    expect(() => session?.setMode('nope')).toThrow('nope');
    await settle();
  });
});
