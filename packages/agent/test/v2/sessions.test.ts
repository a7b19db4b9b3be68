import { describe, expect, it } from 'vitest';
import { type Agent, type Turn, TurnError } from '../../src/index.ts';
import { CWD, errorOf, settle, testAgent, until } from '../raw-client.ts';
import { connectV2Client } from './v2-client.ts';

const START = { replayFrom: { type: 'start' } };

function agentWithSettings(): Agent {
  return testAgent()
    .built.mode({ id: 'ask', name: 'Ask' })
    .mode({ id: 'code', name: 'Code' })
    .option({ id: 'web', name: 'Web', default: false })
    .command({ name: 'review', description: 'Reviews', hint: 'what' })
    .onPrompt(async (turn) => void turn.say('Hello.'));
}

describe('a session in version 2', () => {
  it('is opened with its options, of which the modes are one, and its commands', async () => {
    await using client = connectV2Client(agentWithSettings());
    await client.initialize();
    const opened = await client.newSession();
    expect(opened).toEqual({
      sessionId: expect.any(String),
      configOptions: [
        {
          configId: 'mode',
          name: 'Mode',
          category: 'mode',
          type: 'select',
          currentValue: 'ask',
          options: [
            { value: 'ask', name: 'Ask' },
            { value: 'code', name: 'Code' },
          ],
        },
        { configId: 'web', name: 'Web', type: 'boolean', currentValue: false },
      ],
      availableCommands: [
        { type: 'command', name: 'review', description: 'Reviews', input: { type: 'text', hint: 'what' } },
      ],
    });
    await settle();
    // The answer has said it all.
    expect(client.updates()).toEqual([]);
  });

  it('has its options changed, and answers with all of them', async () => {
    await using client = connectV2Client(agentWithSettings());
    await client.initialize();
    const { sessionId } = await client.newSession();
    const set = (fields: object) => client.request('session/set_config_option', { sessionId, ...fields });
    const mode = await set({ configId: 'mode', type: 'id', value: 'code' });
    expect(mode).toMatchObject({ configOptions: [{ configId: 'mode', currentValue: 'code' }, { configId: 'web' }] });
    const web = await set({ configId: 'web', type: 'boolean', value: true });
    expect(web).toMatchObject({ configOptions: [{}, { configId: 'web', currentValue: true }] });
    expect(client.updates().map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'config_option_update',
      'config_option_update',
    ]);
    for (const wrong of [
      { configId: 'mode', type: 'id', value: 'none' },
      { configId: 'web', type: 'id', value: 'true' },
      { configId: 'web', type: '_later', value: true },
    ])
      expect(await errorOf(set(wrong))).toMatchObject({ code: -32602 });
  });

  it.each([
    [{ cwd: 'relative' }],
    [{ cwd: '/x', additionalDirectories: ['/y'] }],
    [{ cwd: '/x', mcpServers: [{ type: '_odd', name: 'a', command: 'rm' }] }],
    [{ cwd: '/x', mcpServers: [{ name: 'a', command: 'rm' }] }],
    [{ cwd: '/x', mcpServers: [{ type: 'http', name: 'a', url: 'https://example.com' }] }],
    [{ cwd: '/x', mcpServers: [{ type: 'stdio', name: '', command: 'a' }] }],
  ])('is refused with %j', async (params) => {
    await using client = connectV2Client(agentWithSettings());
    await client.initialize();
    expect(await errorOf(client.newSession(params))).toMatchObject({ code: -32602 });
  });

  it('gets its MCP servers in the words that every agent knows', async () => {
    const seen: unknown[] = [];
    const { built } = testAgent();
    built.onSession(({ session }) => void seen.push(...session.mcpServers)).onPrompt(async () => {});
    await using client = connectV2Client(built);
    await client.initialize();
    await client.newSession({ mcpServers: [{ type: 'stdio', name: 'files', command: '/bin/files' }] });
    expect(seen).toEqual([{ name: 'files', command: '/bin/files', args: [], env: [] }]);
  });

  it('gets an MCP server over HTTP where the agent takes such servers', async () => {
    const seen: unknown[] = [];
    const { built } = testAgent();
    built
      .acceptsMcp('http')
      .onSession(({ session }) => void seen.push(...session.mcpServers))
      .onPrompt(async () => {});
    await using client = connectV2Client(built);
    await client.initialize();
    await client.newSession({ mcpServers: [{ type: 'http', name: 'a', url: 'https://example.com' }] });
    expect(seen).toEqual([{ type: 'http', name: 'a', url: 'https://example.com', headers: [] }]);
  });

  it('is listed, and gone once it is deleted', async () => {
    await using client = connectV2Client(agentWithSettings());
    await client.initialize();
    const { sessionId } = await client.newSession();
    expect(await client.request('session/list', {})).toMatchObject({ sessions: [{ sessionId, cwd: CWD }] });
    expect(await client.request('session/delete', { sessionId })).toEqual({});
    expect(await client.request('session/list', {})).toEqual({ sessions: [] });
    expect(await errorOf(client.resume(sessionId))).toMatchObject({ code: -32002 });
    expect(await errorOf(client.request('session/list', { cwd: 'relative' }))).toMatchObject({ code: -32602 });
  });
});

describe('session/resume', () => {
  it('rule 72: tells nothing of the past unless it is asked to, and in either case what the session is doing', async () => {
    const built = agentWithSettings();
    await using first = connectV2Client(built);
    await first.initialize();
    const { sessionId } = await first.newSession();
    const { messageId } = await first.prompt(sessionId, 'hi');
    await first.untilIdle();
    for (const params of [{}, { replayFrom: null }]) {
      await using client = connectV2Client(built);
      await client.initialize();
      expect(await client.resume(sessionId, params)).toMatchObject({
        configOptions: [{}, {}],
        availableCommands: [{}],
      });
      expect(client.updates()).toEqual([{ sessionUpdate: 'state_update', state: 'idle' }]);
    }
    await using client = connectV2Client(built);
    await client.initialize();
    await client.resume(sessionId, START);
    const updates = client.updates();
    expect(updates[0]).toMatchObject({ sessionUpdate: 'user_message_chunk', messageId });
    expect(client.said()).toBe('Hello.');
    expect(client.states()).toEqual(['idle']);
    expect(updates.at(-1)).toMatchObject({ sessionUpdate: 'state_update', state: 'idle' });
  });

  it.each([{ type: '_later' }, { type: 'cursor', value: 3 }, 'start'])(
    'rule 71: refuses to replay from %j',
    async (replayFrom) => {
      await using client = connectV2Client(agentWithSettings());
      await client.initialize();
      const { sessionId } = await client.newSession();
      expect(await errorOf(client.resume(sessionId, { replayFrom }))).toMatchObject({ code: -32602 });
    },
  );

  it('of a turn that runs and asks tells so, and puts the question behind the answer', async () => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      await turn.askPermission(turn.toolCall({ title: 'Remove it' }));
      turn.say('Removed.');
    });
    await using first = connectV2Client(built);
    await first.initialize();
    const { sessionId } = await first.newSession();
    first.connection.onRequest('session/request_permission', () => new Promise(() => {}));
    await first.prompt(sessionId, 'go');
    await until(() => first.states().includes('requires_action'));
    await using second = connectV2Client(built);
    await second.initialize();
    second.connection.onRequest('session/request_permission', () => ({
      outcome: { outcome: 'selected', optionId: 'allow_once' },
    }));
    await second.resume(sessionId, START);
    expect(second.states()).toEqual(['requires_action']);
    await Promise.all([first.untilIdle(), second.untilIdle()]);
    expect(second.states()).toEqual(['requires_action', 'running', 'idle end_turn']);
    expect(first.states()).toEqual(['running', 'requires_action', 'running', 'idle end_turn']);
    expect([first.said(), second.said()]).toEqual(['Removed.', 'Removed.']);
  });

  it('goes on behind the last event that the client has', async () => {
    const built = agentWithSettings();
    await using first = connectV2Client(built);
    expect(await first.initialize({}, { 'parley/cursor': true })).toMatchObject({ _meta: { 'parley/cursor': true } });
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId, 'hi');
    await first.untilIdle();
    const cursor = first.received.find(({ update }) => update.sessionUpdate === 'user_message_chunk')?._meta;
    expect(cursor).toEqual({ 'parley/cursor': expect.any(Number) });
    await using second = connectV2Client(built);
    await second.initialize({}, { 'parley/cursor': true });
    await second.resume(sessionId, { _meta: cursor });
    expect(second.updates().map(({ sessionUpdate }) => sessionUpdate)).not.toContain('user_message_chunk');
    expect(second.said()).toBe('Hello.');
    expect(second.states()).toEqual(['idle end_turn', 'idle']);
  });
});

describe('logging in', () => {
  const login = (configure: (built: Agent) => Agent): Agent =>
    configure(testAgent().built).onPrompt(async (_: Turn) => {});

  it('rule 47: exists together with logging out, exactly where there are ways to log in', async () => {
    await using without = connectV2Client(login((built) => built.onLogout(() => {})));
    expect(await without.initialize()).not.toHaveProperty('authMethods');
    for (const method of ['auth/login', 'auth/logout'])
      expect(await errorOf(without.request(method, { methodId: 'key' }))).toMatchObject({ code: -32601 });

    const built = login((each) => each.auth({ id: 'key', name: 'Key' }, () => {}).requireAuth());
    await using client = connectV2Client(built);
    expect(await client.initialize()).toMatchObject({ authMethods: [{ type: 'agent', methodId: 'key', name: 'Key' }] });
    expect(await errorOf(client.newSession())).toMatchObject({
      code: -32000,
      message: expect.stringContaining('auth/login'),
    });
    expect(await client.request('auth/login', { methodId: 'key' })).toEqual({});
    expect(await client.newSession()).toHaveProperty('sessionId');
    // The agent has nothing to do about it, and forgets the login.
    expect(await client.request('auth/logout', {})).toEqual({});
    expect(await errorOf(client.newSession())).toMatchObject({ code: -32000 });
    expect(await errorOf(client.request('auth/login', { methodId: 'other' }))).toMatchObject({ code: -32602 });
  });

  it('may be refused by the agent, and be a matter of the client’s terminal', async () => {
    const built = login((each) =>
      each
        .auth({ id: 'key', name: 'Key' }, () => {
          throw new TurnError('That key is not known.');
        })
        .auth({ id: 'tty', name: 'Terminal', terminal: { args: ['login'], env: { A: 'b' } } }),
    );
    await using plain = connectV2Client(built);
    expect((await plain.initialize()).authMethods).toHaveLength(1);
    expect(await errorOf(plain.request('auth/login', { methodId: 'key' }))).toMatchObject({
      message: 'That key is not known.',
    });
    await using able = connectV2Client(built);
    expect((await able.initialize({ auth: { terminal: {} } })).authMethods).toMatchObject([
      { methodId: 'key' },
      { type: 'terminal', methodId: 'tty', args: ['login'], env: [{ name: 'A', value: 'b' }] },
    ]);
  });
});

describe('what is unstable in version 2', () => {
  it('is served only by agents that ask for it', async () => {
    await using client = connectV2Client(agentWithSettings());
    const { capabilities } = (await client.initialize()) as { capabilities: { session: object } };
    expect(capabilities.session).not.toHaveProperty('fork');
    const { sessionId } = await client.newSession();
    for (const method of ['session/fork', 'session/archive', 'session/status', 'session/set_title', 'auth/status'])
      expect(await errorOf(client.request(method, { sessionId, cwd: CWD }))).toMatchObject({ code: -32601 });
  });

  it('forks, archives, names sessions, and tells what they are doing', async () => {
    const { built } = testAgent({ unstable: true });
    let finish = (): void => {};
    built.onPrompt(async (turn) => {
      turn.say('Hello.');
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    await using client = connectV2Client(built);
    expect(await client.initialize()).toMatchObject({
      capabilities: { session: { fork: {}, archive: {}, status: {}, title: {} }, auth: { status: {} } },
    });
    const { sessionId } = await client.newSession();
    const status = (id: string) => client.request('session/status', { sessionId: id });
    expect(await status(sessionId)).toEqual({ status: 'open', state: { state: 'idle' } });
    await client.prompt(sessionId, 'hi');
    expect(await status(sessionId)).toMatchObject({ status: 'open', state: { state: 'running' } });
    finish();
    await client.untilIdle();
    const forked = await client.request<{ sessionId: string }>('session/fork', { sessionId, cwd: CWD });
    expect(forked.sessionId).not.toBe(sessionId);
    expect(await client.request('session/set_title', { sessionId, title: ' New  name ' })).toEqual({
      title: 'New name',
    });
    expect(await client.request('session/archive', { sessionId })).toEqual({});
    expect(await status(sessionId)).toEqual({ status: 'saved' });
    expect(await client.request('session/list', { archived: 'only' })).toMatchObject({
      sessions: [{ sessionId, archived: true }],
    });
    expect(await client.request('session/unarchive', { sessionId })).toEqual({});
    expect(await client.request('auth/status', {})).toEqual({ state: 'not_required' });
    expect(await errorOf(status('never-was'))).toMatchObject({ code: -32002 });
  });

  it('reaches MCP servers that the client provides', async () => {
    const { built } = testAgent({ unstable: true });
    const heard: unknown[] = [];
    built.acceptsMcp('acp').onPrompt(async (turn) => {
      const [server] = turn.session.acpServers;
      const call = { serverId: server?.serverId ?? '', method: 'tools/list' };
      heard.push(await turn.client.callMcp({ ...call, onNotification: (method) => heard.push(method) }));
    });
    await using client = connectV2Client(built);
    await client.initialize();
    client.connection.onRequest('mcp/message', ({ params }) => {
      const { requestId, serverId } = params as { requestId: string; serverId: string };
      client.notify('mcp/message', { serverId, requestId, method: 'notifications/progress' });
      return { result: { tools: [] } };
    });
    const mcpServers = [{ type: 'acp', name: 'mine', serverId: 'server-1' }];
    const { sessionId } = await client.newSession({ mcpServers });
    await client.prompt(sessionId, 'go');
    await client.untilIdle();
    expect(heard).toEqual(['notifications/progress', { tools: [] }]);
  });
});
