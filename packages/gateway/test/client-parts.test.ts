import { END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { ALL_CAPABILITIES, host, rawClient, scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();

describe('an MCP server that a client is itself', () => {
  const ask = { serverId: 'editor', requestId: 'r1', method: 'tools/list', params: { cursor: 'c' } };
  const script = {
    capabilities: { mcpCapabilities: { acp: true } },
    on: {
      'session/prompt': [
        { do: 'request', method: 'mcp/message', params: ask, echo: true },
        { do: 'request', method: 'mcp/message', params: { ...ask, method: 'tools/call' }, echo: true },
        { do: 'request', method: 'mcp/message', params: { ...ask, serverId: 'none' }, echo: true },
        END_TURN,
      ],
      'mcp/message': [{ do: 'notify', method: '_heard', params: {} }],
    },
  } as const;
  const server = { type: 'acp', name: 'Editor', serverId: 'editor' };

  it('is asked by the hosted agent, and its results, errors and notices arrive there', async () => {
    const client = await rawClient(host(scripted(script)));
    expect(client.initialized).toMatchObject({ agentCapabilities: { mcpCapabilities: { acp: true } } });
    const heard: unknown[] = [];
    client.connection.onNotification('_heard', (params) => heard.push(params));
    client.connection.onRequest('mcp/message', ({ params }) => {
      const { method, requestId } = params as { method: string; requestId: string };
      const progress = { serverId: 'editor', requestId, method: 'notifications/progress', params: { done: 1 } };
      void client.connection.notify('mcp/message', progress);
      if (method === 'tools/call') return { error: { code: -32050, message: 'No such tool', data: { tool: 'x' } } };
      return { result: { tools: ['a'] } };
    });
    const sessionId = await client.open({ mcpServers: [server] });
    await client.prompt(sessionId, 'go');
    const said = client
      .said()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(said).toEqual([
      { result: { result: { tools: ['a'] } } },
      { result: { error: { code: -32050, message: 'No such tool', data: { tool: 'x' } } } },
      { error: expect.objectContaining({ code: -32602 }) },
    ]);
    expect(client.requests[0]).toMatchObject({
      method: 'mcp/message',
      params: { serverId: 'editor', method: 'tools/list', params: { cursor: 'c' } },
    });
    await until(() => heard.length === 2);
  });

  it('is refused where the hosted agent takes none', async () => {
    const client = await rawClient(host(scripted({})));
    await expect(client.open({ mcpServers: [server] })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('a login in a terminal', () => {
  const note = { 'terminal-auth': { command: '/opt/agent', args: ['login'], label: 'Log in' } };
  const script = {
    authMethods: [
      { id: 'whole', name: 'Whole', type: 'terminal', args: ['login'], env: { A: 'b' }, _meta: note },
      { id: 'bare', name: 'Bare', type: 'terminal', args: ['login'] },
      { id: 'key', name: 'Key' },
      { id: 'variable', name: 'Variable', type: 'env_var', vars: [{ name: 'API_KEY' }] },
    ],
  } as const;
  const [, , ...others] = script.authMethods;

  it('is passed on with its terms to a client that can, where it tells the whole command', async () => {
    const able = await rawClient(host(scripted(script)), { ...ALL_CAPABILITIES, auth: { terminal: true } });
    expect(able.initialized.authMethods).toEqual([script.authMethods[0], ...others]);
    const other = await rawClient(host(scripted(script)));
    // Kinds that the specification does not have yet are passed on as they are.
    expect(other.initialized.authMethods).toEqual(others);
  });
});

describe('a session that a session has made', () => {
  const script = {
    on: {
      'session/prompt': [
        { do: 'update', update: { sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Look' } },
        {
          do: 'update',
          sessionId: 'child',
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'looking' }, _meta: { a: 1 } },
        },
        { do: 'update', sessionId: 'child', update: { sessionUpdate: 'subagent_update', sessionId: 'grandchild' } },
        {
          do: 'update',
          sessionId: 'grandchild',
          update: { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Deep' },
        },
        { do: 'say', text: 'done' },
        END_TURN,
      ],
    },
  } as const;

  it('is told of to clients that know such, under its own name and behind what made it, and to others as nested calls', async () => {
    const hosted = host(scripted(script));
    const client = await rawClient(hosted);
    const { subagents: _, ...less } = ALL_CAPABILITIES as Record<string, unknown>;
    const unknowing = await rawClient(hosted, less);
    const told: [string, unknown][] = [];
    client.connection.onNotification('session/update', (params) => {
      const { sessionId, update } = params as { sessionId: string; update: { sessionUpdate: string } };
      told.push([sessionId, update.sessionUpdate]);
    });
    const sessionId = await client.open();
    await unknowing.request('session/load', { sessionId, cwd: process.cwd(), mcpServers: [] });
    await client.prompt(sessionId, 'go');
    await until(() => told.length === 5);
    expect(told.filter(([id]) => id !== sessionId)).toEqual([
      ['child', 'agent_message_chunk'],
      ['child', 'subagent_update'],
      ['grandchild', 'tool_call'],
    ]);
    expect(told[0]).toEqual([sessionId, 'subagent_update']);
    await until(() => unknowing.said() === 'done');
    const parentOf = (meta: unknown): unknown => (meta as { claudeCode?: { parentToolUseId?: string } }).claudeCode;
    expect(
      unknowing.updates.map(({ sessionUpdate, toolCallId, _meta }) =>
        toolCallId === undefined ? sessionUpdate : [toolCallId, parentOf(_meta)],
      ),
    ).toEqual([
      'user_message_chunk',
      ['child', undefined],
      ['grandchild', { parentToolUseId: 'child' }],
      ['t', { parentToolUseId: 'grandchild' }],
      'agent_message_chunk',
    ]);
  });
});
