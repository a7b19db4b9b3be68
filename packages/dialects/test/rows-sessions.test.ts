import type { DialectName } from '@parley/dialects';
import { v1 } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { openBorder } from './border.ts';

const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] };
const configOptions = [
  { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false },
  { id: 'model', name: 'Model', type: 'select', currentValue: 'small', options: [{ value: 'small', name: 'Small' }] },
];
const stdio = { name: 'fs', command: '/bin/mcp-fs', args: ['/data'], env: [{ name: 'A', value: 'b' }] };
const http = { type: 'http', name: 'api', url: 'https://x.test/', headers: [{ name: 'H', value: 'v' }] };
const setMode = (modeId: string) => ({
  jsonrpc: '2.0',
  id: modeId,
  method: 'session/set_mode',
  params: { sessionId: 's', modeId },
});
const newSession = (...mcpServers: unknown[]) => ({ cwd: '/w', mcpServers });

describe('sessions, MCP servers, modes and options', () => {
  it.each(['harness', 'overview', 'go', 'pharo'] as const)(
    'D25 answers session/new with the id alone in %s',
    (dialect) => {
      const border = openBorder(dialect);
      expect(border.writeResult('session/new', { sessionId: 's', modes, configOptions })).toEqual({ sessionId: 's' });
      expect(border.state.sessions.get('s')).toMatchObject({ modes, configOptions });
      expect(border.readResult('session/new', { sessionId: 's2' })).toEqual({ sessionId: 's2' });
    },
  );

  it('D25 keeps the modes for elephant, which has them', () => {
    const written = openBorder('elephant').writeResult('session/new', { sessionId: 's', modes, configOptions });
    expect(written).toEqual({ sessionId: 's', modes });
  });

  it('D25 tells elephant an option whose values are its modes as its modes, and keeps the two in step', () => {
    const border = openBorder('elephant');
    const preset = (currentValue: string) => ({
      id: 'preset',
      name: 'Tools',
      type: 'select',
      currentValue,
      options: ['full', 'read-only', 'safe', 'sandbox'].map((value) => ({ value, name: value })),
    });
    const written = border.writeResult('session/new', { sessionId: 's', modes, configOptions: [preset('full')] });
    const availableModes = ['full', 'read-only', 'safe', 'sandbox'].map((id) => ({ id, name: id }));
    expect(written).toEqual({ sessionId: 's', modes: { currentModeId: 'full', availableModes } });
    expect(border.readBack(setMode('ask'))).toMatchObject([{ error: { code: -32602 } }]);

    expect(border.read(setMode('safe'))).toMatchObject([{ method: 'session/set_mode', params: { modeId: 'safe' } }]);
    const changed = { sessionUpdate: 'config_option_update', configOptions: [preset('safe')] };
    expect(border.writeUpdates(changed)).toEqual([{ sessionUpdate: 'current_mode_update', currentModeId: 'safe' }]);
    expect(border.write({ jsonrpc: '2.0', id: 'safe', result: {} })).toEqual([
      { jsonrpc: '2.0', id: 'safe', result: {} },
    ]);
    expect(border.writeUpdates(changed)).toEqual([]);
    expect(border.writeUpdates({ sessionUpdate: 'current_mode_update', currentModeId: 'ask' })).toEqual([]);
  });

  it('D26 loads a session by its id in harness, and knows its directory from before or from a store', () => {
    const border = openBorder('harness', { findSession: (id) => (id === 'stored' ? { cwd: '/stored' } : undefined) });
    border.writeResult('session/new', { sessionId: 'made' }, newSession(stdio));
    expect(border.readParams('session/load', { sessionId: 'made' })).toEqual({
      sessionId: 'made',
      ...newSession(stdio),
    });
    expect(border.readParams('session/load', { sessionId: 'stored' })).toMatchObject({
      cwd: '/stored',
      mcpServers: [],
    });
    const load = { jsonrpc: '2.0', id: 9, method: 'session/load', params: { sessionId: 'nobody' } };
    expect(border.readBack(load)).toMatchObject([{ id: 9, error: { code: -32602, data: { sessionId: 'nobody' } } }]);
    const written = border.writeParams('session/load', { sessionId: 'made', ...newSession(stdio) });
    expect(written).toEqual({ sessionId: 'made' });
  });

  it('D27 loads a session without its directory in pharo', () => {
    const border = openBorder('pharo', { findSession: () => ({ cwd: '/stored' }) });
    const read = border.readParams('session/load', { sessionId: 's', mcpServers: [] });
    expect(read).toEqual({ sessionId: 's', cwd: '/stored', mcpServers: [] });
    expect(border.writeParams('session/load', read)).toEqual({ sessionId: 's', mcpServers: [] });
    const unknown = { jsonrpc: '2.0', id: 9, method: 'session/load', params: { sessionId: 'x', mcpServers: [] } };
    expect(openBorder('pharo').readBack(unknown)).toMatchObject([{ error: { code: -32005 } }]);
  });

  it('D28 takes the servers of session/load as a map or not at all in go', () => {
    const border = openBorder('go');
    const params = { sessionId: 's', cwd: '/w' };
    expect(border.readParams('session/load', params)).toEqual({ ...params, mcpServers: [] });
    const fs = { type: 'stdio', command: '/bin/mcp-fs', args: ['/data'], env: { A: 'b' } };
    const read = border.readParams('session/load', { ...params, mcpServers: { fs } });
    expect(read.mcpServers).toEqual([stdio]);
    expect(border.writeParams('session/load', read)).toEqual({ ...params, mcpServers: { fs } });
    expect(border.writeParams('session/load', { ...params, mcpServers: [] })).toEqual(params);
  });

  it.each(['overview', 'pharo'] as const)('D29 answers session/load with null in %s', (dialect) => {
    const border = openBorder(dialect);
    expect(border.readResult('session/load', null)).toEqual({});
    expect(border.writeResult('session/load', { modes, configOptions })).toBeNull();
  });

  it('D29 takes any object for the answer to session/load, and keeps the modes of elephant', () => {
    expect(openBorder('harness').readResult('session/load', { sessionId: 's' })).toEqual({ sessionId: 's' });
    expect(openBorder('go').writeResult('session/load', { modes, configOptions })).toEqual({});
    expect(openBorder('elephant').writeResult('session/load', { modes, configOptions })).toEqual({ modes });
  });

  it('D30 replays everything to an overview client, which may ignore what it does not know', () => {
    const border = openBorder('overview');
    const replay = [
      { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'Hi' } },
      { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm' } },
      { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Read', kind: 'read' },
      { sessionUpdate: 'plan', entries: [] },
    ];
    expect(replay.flatMap((update) => border.writeUpdates(update))).toEqual(replay);
  });

  it('D31 reads servers as a list or a map in go, and writes the map where the list cannot say it', () => {
    const border = openBorder('go');
    border.state.agentCapabilities = { mcpCapabilities: { http: true } };
    expect(border.writeParams('session/new', newSession(stdio))).toEqual(newSession(stdio));
    const twins = newSession(
      stdio,
      { ...stdio, command: '/bin/other' },
      {
        ...http,
        headers: [...http.headers, { name: 'H', value: 'w' }],
      },
    );
    const written = border.writeParams('session/new', twins);
    expect(Object.keys(written.mcpServers as object)).toEqual(['fs', 'fs-2', 'api']);
    expect(written.mcpServers).toMatchObject({
      fs: { type: 'stdio', env: { A: 'b' } },
      api: { headers: { H: 'v, w' } },
    });
    const read = border.readParams('session/new', written).mcpServers as { name: string }[];
    expect(read.map(({ name }) => name)).toEqual(['fs', 'fs', 'api']);
    v1.parseParams('session/new', { cwd: '/w', mcpServers: read });
  });

  it.each(['harness', 'elephant'] as const)('D32 writes the type of a stdio server out in %s', (dialect) => {
    const border = openBorder(dialect);
    const foreign = newSession({ type: 'stdio', ...stdio });
    expect(border.readParams('session/new', foreign)).toEqual(newSession(stdio));
    expect(border.writeParams('session/new', newSession(stdio))).toEqual(foreign);
  });

  it('D33 names the nameless servers of pharo, each differently', () => {
    const border = openBorder('pharo');
    const server = { transport: 'stdio', command: '/usr/bin/mcp', args: [], env: {} };
    const remote = { transport: 'http', url: 'https://x.test/mcp', headers: { H: 'v' } };
    const read = border.readParams(
      'session/new',
      newSession(server, server, remote, { transport: 'stdio', command: '' }),
    );
    expect((read.mcpServers as { name: string }[]).map(({ name }) => name)).toEqual([
      'mcp',
      'mcp-2',
      'x.test',
      'mcp-4',
    ]);
    v1.parseParams('session/new', read);
    const back = border.writeParams('session/new', read).mcpServers as unknown[];
    expect(back.slice(0, 3)).toEqual([server, server, remote]);
    const ours = border.writeParams('session/new', newSession(stdio, http));
    expect(ours.mcpServers).toMatchObject([
      { transport: 'stdio', env: { A: 'b' } },
      { transport: 'http', headers: { H: 'v' } },
    ]);
    expect((ours.mcpServers as object[])[0]).not.toHaveProperty('name');
    expect(border.readParams('session/new', ours)).toEqual(newSession(stdio, http));
  });

  it('D34 has environments as maps in pharo, where the last of two equal names wins', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: '__proto__', value: 'x' },
      { name: 'A', value: '2' },
    ];
    const written = openBorder('pharo').writeParams('session/new', newSession({ ...stdio, env }));
    const [{ env: map }] = written.mcpServers as [{ env: Record<string, string> }];
    expect(Object.entries(map)).toEqual([
      ['A', '2'],
      ['__proto__', 'x'],
    ]);
    const numbers = { transport: 'stdio', command: 'c', env: { PORT: 80, ON: true, BAD: {} } };
    const read = openBorder('pharo').readParams('session/new', newSession(numbers));
    expect(read.mcpServers).toMatchObject([
      {
        env: [
          { name: 'PORT', value: '80' },
          { name: 'ON', value: 'true' },
        ],
      },
    ]);
  });

  it.each(['overview', 'go', 'elephant'] as const)(
    'D35 refuses network servers before a peer of %s hears of them',
    (dialect) => {
      const border = openBorder(dialect);
      const message = { jsonrpc: '2.0', id: 3, method: 'session/new', params: newSession(stdio, http) };
      expect(border.write(message)).toEqual([]);
      expect(border.writeBack(message)).toMatchObject([
        { id: 3, error: { code: -32602, message: expect.stringMatching(/mcpServers\[1\].*http/) } },
      ]);
      expect(border.state.sent.size).toBe(0);
    },
  );

  it('D36 has HTTP servers in harness as ACP has them', () => {
    const border = openBorder('harness');
    expect(border.readParams('session/new', newSession(http))).toEqual(newSession(http));
    expect(border.writeParams('session/new', newSession(http))).toEqual(newSession(http));
  });

  it.each(['overview', 'go'] as const)(
    'D37 fills in arguments and environment that a peer of %s left out',
    (dialect) => {
      const read = openBorder(dialect).readParams('session/new', newSession({ name: 'fs', command: '/bin/fs' }));
      expect(read.mcpServers).toEqual([{ name: 'fs', command: '/bin/fs', args: [], env: [] }]);
      expect(openBorder(dialect).writeParams('session/new', read)).toEqual(read);
    },
  );

  it('D38 sets options of pharo under another name, and booleans without their tag', () => {
    const border = openBorder('pharo');
    const set = (value: unknown) =>
      border.readParams('session/set_config_option', { sessionId: 's', option: 'o', value });
    expect(set(true)).toEqual({ sessionId: 's', configId: 'o', type: 'boolean', value: true });
    expect(set('v')).toEqual({ sessionId: 's', configId: 'o', value: 'v' });
    expect(set(3)).toMatchObject({ configId: 'o', value: '3' });
    for (const value of [true, 'v', 3]) {
      expect(border.writeParams('session/set_config_option', set(value))).toEqual({
        sessionId: 's',
        option: 'o',
        value,
      });
    }
    const odd = { jsonrpc: '2.0', id: 1, method: 'session/set_config_option', params: { option: 'o', value: {} } };
    expect(border.readBack(odd)).toMatchObject([{ error: { code: -32602 } }]);
  });

  it('D39 completes the null with which pharo answers to a changed option', () => {
    const border = openBorder('pharo');
    border.readUpdate({ sessionUpdate: 'config_option_update', configOptions });
    const params = { sessionId: 's', configId: 'fast', type: 'boolean', value: true };
    const read = border.readResult('session/set_config_option', null, params);
    expect(read.configOptions).toEqual([{ ...configOptions[0], currentValue: true }, configOptions[1]]);
    v1.parseResult('session/set_config_option', read);
    expect(border.writeResult('session/set_config_option', { configOptions })).toBeNull();
  });

  it('D40 answers session/set_mode with null in pharo', () => {
    const border = openBorder('pharo');
    expect(border.readResult('session/set_mode', null)).toEqual({});
    expect(border.writeResult('session/set_mode', {})).toBeNull();
  });

  it('D41 calls the current mode modeId in pharo', () => {
    const border = openBorder('pharo');
    const read = border.readUpdate({ type: 'current_mode_update', modeId: 'ask' });
    expect(read).toEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'ask' });
    expect(border.writeUpdate(read)).toEqual({ type: 'current_mode_update', modeId: 'ask' });
  });

  it('D42 knows four modes in elephant, and translates ours by the configured table', () => {
    const border = openBorder('elephant', { modeIds: { ask: 'read-only', code: 'full' } });
    expect(border.writeParams('session/set_mode', { sessionId: 's', modeId: 'ask' }).modeId).toBe('read-only');
    expect(border.readParams('session/set_mode', { sessionId: 's', modeId: 'safe' }).modeId).toBe('safe');
    const yolo = { jsonrpc: '2.0', id: 1, method: 'session/set_mode', params: { sessionId: 's', modeId: 'yolo' } };
    expect(border.writeBack(yolo)).toMatchObject([{ error: { code: -32602 } }]);
    expect(border.readBack(yolo)).toMatchObject([{ error: { code: -32602 } }]);
    const told = border.writeResult('session/new', {
      sessionId: 't',
      modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] },
    });
    expect(told).toMatchObject({ modes: { currentModeId: 'read-only', availableModes: [{ id: 'read-only' }] } });
    expect(border.readParams('session/set_mode', { sessionId: 't', modeId: 'read-only' }).modeId).toBe('ask');
    expect(border.writeUpdate({ sessionUpdate: 'current_mode_update', currentModeId: 'code' }).currentModeId).toBe(
      'full',
    );
    expect(border.readUpdate({ sessionUpdate: 'current_mode_update', currentModeId: 'full' }).currentModeId).toBe(
      'code',
    );
  });

  it('D43 follows each changed mode with an update in elephant, and takes the echo calmly', () => {
    const border = openBorder('elephant');
    border.read({ jsonrpc: '2.0', id: 1, method: 'session/set_mode', params: { sessionId: 's', modeId: 'safe' } });
    expect(border.write({ jsonrpc: '2.0', id: 1, result: {} })).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      {
        jsonrpc: '2.0',
        method: 'session/update',
        params: { sessionId: 's', update: { sessionUpdate: 'current_mode_update', currentModeId: 'safe' } },
      },
    ]);
    const echo = { sessionUpdate: 'current_mode_update', currentModeId: 'safe' };
    expect(border.readUpdate(echo)).toEqual(echo);
    expect(border.readUpdate(echo)).toEqual(echo);
  });

  it.each([
    ['harness', 'session/set_mode'],
    ['overview', 'session/set_config_option'],
    ['go', 'session/set_mode'],
    ['elephant', 'session/set_config_option'],
  ] as [DialectName, string][])('D44 answers in place of a %s peer, which has no %s', (dialect, method) => {
    const message = { jsonrpc: '2.0', id: 4, method, params: { sessionId: 's' } };
    expect(openBorder(dialect).write(message)).toEqual([]);
    expect(openBorder(dialect).writeBack(message)).toMatchObject([
      { id: 4, error: { code: -32601, message: expect.stringContaining(dialect) } },
    ]);
  });

  it('D45 hears that a session is busy as elephant says it', () => {
    const busy = { code: -32600, message: 'prompt already running' };
    expect(openBorder('elephant').readError('session/prompt', busy)).toEqual(busy);
    const ours = { code: -32600, message: 'busy', data: { kind: 'invalid_session_state' } };
    expect(openBorder('elephant').writeError('session/prompt', ours)).toEqual(ours);
    expect(openBorder('pharo').writeError('session/prompt', ours)).toMatchObject({ code: -32006 });
  });

  it('D46 ends sessions of pharo only with the wire', () => {
    const message = { jsonrpc: '2.0', id: 4, method: 'session/close', params: { sessionId: 's' } };
    expect(openBorder('pharo').write(message)).toEqual([]);
    expect(openBorder('pharo').writeBack(message)).toMatchObject([{ error: { code: -32601 } }]);
  });
});
