import { type DialectChoice, withDialect } from '@parley/dialects';
import { type WatchDialectOptions, watchDialect } from '@parley/dialects/speak';
import { createConnection, type Message, RpcError, type Transport } from '@parley/jsonrpc';
import { transportCases } from '@parley/testing/transport-cases';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import type { Json } from './border.ts';
import { openOurClient } from './our-client.ts';

transportCases('a transport that is watched for a dialect', () => {
  const [near, far] = createMemoryPair();
  return { near: watchDialect(near), far: watchDialect(far) };
});

/** Our client, watching, and an agent whose answers and updates are given as it would write them. */
function openWatched(answers: Record<string, (params: Json, far: Transport) => unknown>) {
  const [near, far] = createMemoryPair();
  const choices: DialectChoice[] = [];
  const heard: Json[] = [];
  far.onMessage((value) => {
    const { id, method, params } = value as { id?: number; method?: string; params?: Json };
    heard.push(value as Json);
    const answer = answers[method ?? ''];
    if (id !== undefined && answer) void far.send({ jsonrpc: '2.0', id, result: answer(params ?? {}, far) } as Message);
  });
  const client = openOurClient(watchDialect(near, { onDialect: (choice) => choices.push(choice) }));
  return { ...client, choices, heard, far };
}

const say = (far: Transport, update: object): void =>
  void far.send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } });
const text = (value: string) => ({ type: 'text', text: value });
const named = { protocolVersion: 1, agentInfo: { name: 'a', version: '1' }, agentCapabilities: {} };
const hello = { protocolVersion: 1, clientCapabilities: { fs: {}, terminal: true } };

/** Our agent, watching, and a bare client. */
function openServed(options: WatchDialectOptions = {}) {
  const [near, far] = createMemoryPair();
  const choices: DialectChoice[] = [];
  const agent = createConnection(watchDialect(near, { onDialect: (choice) => choices.push(choice), ...options }));
  agent.onRequest('initialize', () => ({ protocolVersion: 1, authMethods: [{ id: 'key', name: 'Key' }] }));
  agent.onRequest('authenticate', () => {
    throw RpcError.invalidParams('Unknown authentication method');
  });
  return { agent, client: createConnection(far), choices };
}

const elephantAgent = {
  protocolVersion: 1,
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { audio: true, image: true, embeddedContext: true },
    mcpCapabilities: { http: false, sse: false },
    sessionCapabilities: {},
  },
  authMethods: [],
};

describe('what shows an elephant', () => {
  it.each(['/acp/rpc', '/acp/sse', 'https://host/acp/team/sse?client_id=1'])(
    'a client that is met at %s',
    async (endpoint) => {
      const { client, choices } = openServed({ endpoint });
      await client.request('initialize', { protocolVersion: 1 });
      expect(choices).toEqual([{ dialect: 'elephant', because: 'it uses /acp/rpc and /acp/sse', isCertain: false }]);
      expect(await client.request('authenticate', { methodId: 'any' })).toEqual({});
    },
  );

  it('not a client at the same place that introduces itself as canonical', async () => {
    const { client, choices } = openServed({ endpoint: '/acp/sse' });
    await client.request('initialize', { protocolVersion: 1, clientCapabilities: { auth: {} } });
    expect(choices).toEqual([]);
  });

  it('a login that is not listed, of a client that has given a version alone', async () => {
    const { client, choices } = openServed();
    await client.request('initialize', { protocolVersion: 1 });
    expect(await client.request('authenticate', { methodId: 'any' })).toEqual({});
    expect(choices).toMatchObject([{ dialect: 'elephant', isCertain: false }]);
  });

  it.each([
    [{ clientInfo: { name: 'c', version: '1' } }, 'any'],
    [{ clientCapabilities: {} }, 'any'],
    [{}, 'key'],
  ])(
    'not the login of a client that introduces itself with %o and logs in with "%s"',
    async (introduction, methodId) => {
      const { client, choices } = openServed();
      await client.request('initialize', { protocolVersion: 1, ...introduction });
      await expect(client.request('authenticate', { methodId })).rejects.toMatchObject({ code: -32602 });
      expect(choices).toEqual([]);
    },
  );

  it('an agent with its capabilities, which then hears the type of a server', async () => {
    const { connection, choices, heard } = openWatched({
      initialize: () => elephantAgent,
      'session/new': () => ({ sessionId: 's' }),
    });
    await connection.request('initialize', hello);
    const server = { name: 'fs', command: '/bin/mcp', args: [], env: [] };
    await connection.request('session/new', { cwd: '/w', mcpServers: [server] });
    expect(choices).toMatchObject([{ dialect: 'elephant', isCertain: false }]);
    expect(heard.at(-1)?.params).toMatchObject({ mcpServers: [{ type: 'stdio', ...server }] });
  });

  it('not an agent with the same capabilities whose session has options of its own', async () => {
    const configOptions = [{ id: 'm', name: 'M', type: 'select', currentValue: 'a', options: [] }];
    const { connection, choices, heard } = openWatched({
      initialize: () => elephantAgent,
      'session/new': () => ({ sessionId: 's', configOptions }),
      'session/set_config_option': () => ({ configOptions }),
    });
    await connection.request('initialize', hello);
    await connection.request('session/new', { cwd: '/w', mcpServers: [] });
    const params = { sessionId: 's', configId: 'm', value: 'a' };
    expect(await connection.request('session/set_config_option', params)).toEqual({ configOptions });
    expect(heard.at(-1)).toMatchObject({ method: 'session/set_config_option', params });
    expect(choices.map(({ dialect }) => dialect)).toEqual(['elephant', 'canonical']);
  });
});

describe('a watched connection', () => {
  it('passes canonical messages as they are, and takes the direct way after a canonical turn', async () => {
    const [near, far] = createMemoryPair();
    const direct: unknown[] = [];
    const listeners: unknown[] = [];
    const spied: Transport = {
      send: (message) => near.send(message),
      onMessage(listener) {
        listeners.push(listener);
        near.onMessage((value) => {
          direct.push(value);
          listener(value);
        });
      },
      onFault: (listener) => near.onFault(listener),
      onClose: (listener) => near.onClose(listener),
      pause: () => near.pause(),
      resume: () => near.resume(),
      close: () => near.close(),
    };
    const agent = createConnection(far);
    agent.onRequest('initialize', () => named);
    agent.onRequest('session/prompt', () => {
      void agent.notify('session/update', {
        sessionId: 's',
        update: { sessionUpdate: 'agent_message_chunk', content: text('Hi') },
      });
      return { stopReason: 'end_turn' };
    });
    const received: unknown[] = [];
    const watched = watchDialect(spied);
    const onMessage = (value: unknown): void => void received.push(value);
    watched.onMessage(onMessage);
    void watched.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello });
    void watched.send({ jsonrpc: '2.0', id: 2, method: 'session/prompt', params: { sessionId: 's', prompt: [] } });
    await expect.poll(() => received).toHaveLength(3);
    expect(received.every((value, index) => value === direct[index])).toBe(true);
    expect(listeners.at(-1)).toBe(onMessage);
    await watched.close();
  });

  it('takes the direct way at once where the introduction has what only canonical ACP has', async () => {
    const { ask, choices, updates, far } = openWatched({
      initialize: () => ({ ...named, agentCapabilities: { sessionCapabilities: { list: {} } } }),
    });
    await ask('initialize', hello);
    say(far, { type: 'message', role: 'agent', content: [text('Hi')] });
    say(far, { sessionUpdate: 'agent_message_chunk', content: text('Ho') });
    await expect.poll(() => updates).toEqual([{ sessionUpdate: 'agent_message_chunk', content: text('Ho') }]);
    expect(choices).toEqual([]);
  });

  it('goes on in the dialect of the first foreign message, and loses nothing around it', async () => {
    const { ask, choices, updates, heard, far } = openWatched({
      initialize: () => ({
        ...named,
        authenticationMethods: [{ methodId: 'key', title: 'Key', description: 'A key' }],
      }),
      'session/new': () => ({ sessionId: 's' }),
      'session/prompt': () => {
        say(far, { type: 'message', role: 'agent', content: [text('one')] });
        say(far, { type: 'message', role: 'agent', content: [text('two')] });
        return { stopReason: 'end_turn' };
      },
    });
    expect((await ask('initialize', hello)).authMethods).toMatchObject([{ id: 'key', name: 'Key' }]);
    expect(choices).toMatchObject([{ dialect: 'pharo', isCertain: true }]);
    const server = { name: 'x', command: 'x', args: [], env: [] };
    await ask('session/new', { cwd: '/w', mcpServers: [server] });
    expect(heard.at(-1)).toMatchObject({ params: { mcpServers: [{ transport: 'stdio' }] } });
    await ask('session/prompt', { sessionId: 's', prompt: [text('x')] });
    expect(updates.map(({ content }) => content)).toEqual([text('one'), text('two')]);
  });

  it('knows in the middle of a turn what was said in it before', async () => {
    const { ask, choices, updates, questions, far } = openWatched({
      initialize: () => named,
      'session/new': () => ({ sessionId: 's' }),
      'session/prompt': () => {
        say(far, { sessionUpdate: 'agent_message_chunk', content: text('Of course! ') });
        say(far, { sessionUpdate: 'tool_call', toolCallId: 't-1', title: 'Read', status: 'pending' });
        void far.send({
          jsonrpc: '2.0',
          id: 'q',
          method: 'session/request_permission',
          params: { sessionId: 's', message: 'May I?', options: [{ optionId: 'y', kind: 'allow_once', label: 'Yes' }] },
        });
        return { content: [text('Of course! And more.')] };
      },
    });
    await ask('initialize', hello);
    await ask('session/new', { cwd: '/w', mcpServers: [] });
    expect((await ask('session/prompt', { sessionId: 's', prompt: [text('x')] })).stopReason).toBe('end_turn');
    expect(choices).toMatchObject([{ dialect: 'harness' }]);
    expect(questions).toMatchObject([{ toolCall: { toolCallId: 't-1' } }]);
    const said = updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    expect(said.map(({ content }) => (content as Json).text).join('')).toBe('Of course! And more.');
  });

  it('holds what is sent and keeps its order while a dialect is loaded', async () => {
    const [near, far] = createMemoryPair();
    const heard: Json[] = [];
    far.onMessage((value) => heard.push(value as Json));
    const watched = watchDialect(near);
    watched.onMessage(() => {
      for (const n of [1, 2]) {
        const update = { sessionUpdate: 'agent_message_chunk', content: text(String(n)) };
        void watched.send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } });
      }
      void watched.send({ jsonrpc: '2.0', id: 1, result: { protocolVersion: 1 } });
    });
    const params = { protocolVersion: 1, clientCapabilities: { terminal: { create: true } } };
    void far.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    await expect.poll(() => heard).toHaveLength(3);
    expect(heard.slice(0, 2).map(({ params: each }) => (each as Json).update)).toMatchObject([
      { type: 'message', content: [text('1')] },
      { type: 'message', content: [text('2')] },
    ]);
    expect(heard[2]).toMatchObject({ id: 1, result: { authenticationMethods: [] } });
  });

  it.each([
    ['content-length', ['elephant']],
    ['newline', []],
  ] as const)('takes %s frames for a sign', async (framing, dialects) => {
    const [near, far] = createMemoryPair();
    const choices: string[] = [];
    const options: WatchDialectOptions = { framing: () => framing, onDialect: ({ dialect }) => choices.push(dialect) };
    const agent = createConnection(watchDialect(near, options));
    agent.onRequest('initialize', () => ({ protocolVersion: 1 }));
    const client = createConnection(far);
    await client.request('initialize', { protocolVersion: 1 });
    expect(choices).toEqual(dialects);
    await client.close();
  });
});

describe.each([
  ['watchDialect', (transport: Transport, options: WatchDialectOptions) => watchDialect(transport, options)],
  [
    'withDialect',
    (transport: Transport, options: WatchDialectOptions) => withDialect(transport, { ...options, dialect: 'auto' }),
  ],
] as const)('version 2, on a connection that %s listens to for a dialect', (_name, listen) => {
  const info = { name: 'a', version: '1' };
  const session = { prompt: { image: {} }, mcp: { stdio: {} } };
  const offer = {
    protocolVersion: 2,
    info,
    capabilities: { elicitation: { form: {} } },
    clientInfo: info,
    clientCapabilities: {},
  };
  const accepted = {
    protocolVersion: 2,
    info,
    capabilities: { session },
    authMethods: [{ type: 'agent', methodId: 'k', name: 'K' }],
  };
  const tell = (update: object) => ({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } });
  // Each looks like something that a dialect of version 1 says.
  const fromAgent: readonly object[] = [
    { jsonrpc: '2.0', id: 'new', result: { sessionId: 's', configOptions: [], availableCommands: [] } },
    { jsonrpc: '2.0', id: 'prompt', result: { messageId: 'm' } },
    tell({ sessionUpdate: 'user_message', messageId: 'm', content: [text('hi')] }),
    tell({ sessionUpdate: 'state_update', state: 'running' }),
    tell({ sessionUpdate: 'tool_call_update', toolCallId: 'c', kind: 'tool_call', status: 'running' }),
    tell({ sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [], steps: [] } }),
    tell({ sessionUpdate: '_own', type: 'message' }),
    {
      jsonrpc: '2.0',
      id: 'ask',
      method: 'session/request_permission',
      params: { sessionId: 's', title: 'May I?', options: [] },
    },
    tell({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }),
  ];
  const fromClient: readonly object[] = [
    {
      jsonrpc: '2.0',
      id: 'new',
      method: 'session/new',
      params: { cwd: '/', mcpServers: [{ type: 'stdio', name: 'x', command: '/x' }] },
    },
    { jsonrpc: '2.0', id: 'prompt', method: 'session/prompt', params: { sessionId: 's', prompt: [text('hi')] } },
    {
      jsonrpc: '2.0',
      id: 'set',
      method: 'session/set_config_option',
      params: { sessionId: 's', configId: 'm', type: 'id', value: 'x' },
    },
    { jsonrpc: '2.0', id: 'login', method: 'auth/login', params: { methodId: 'k' } },
    { jsonrpc: '2.0', id: 'ask', result: { outcome: { outcome: '_perhaps' } } },
  ];

  it.each(['client', 'agent'] as const)('passes as it is, both ways, where we are the %s', async (role) => {
    const [near, far] = createMemoryPair();
    const choices: DialectChoice[] = [];
    const ours = listen(near, { onDialect: (choice) => choices.push(choice) });
    const heard: unknown[] = [];
    const seen: unknown[] = [];
    ours.onMessage((value) => heard.push(value));
    far.onMessage((value) => seen.push(value));
    const ask = { jsonrpc: '2.0', id: 'init', method: 'initialize', params: offer };
    const answer = { jsonrpc: '2.0', id: 'init', result: accepted };
    const [own, theirs] =
      role === 'client'
        ? [
            [ask, ...fromClient],
            [answer, ...fromAgent],
          ]
        : [
            [answer, ...fromAgent],
            [ask, ...fromClient],
          ];
    const settled = () => new Promise((resolve) => setTimeout(resolve, 2));
    const send = async (transport: Transport, messages: readonly object[]) => {
      for (const message of messages) await transport.send(message as Message);
      await settled();
    };
    // The introduction comes first, whoever makes it.
    await send(role === 'client' ? ours : far, [ask]);
    await send(role === 'client' ? far : ours, [answer]);
    await send(ours, own.slice(1));
    await send(far, theirs.slice(1));
    expect(seen).toEqual(own);
    expect(heard).toEqual(theirs);
    expect(choices).toEqual([]);
  });
});
