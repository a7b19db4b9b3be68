import { createConnection, RpcError } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ConnectOptions, connect, type TranscriptEvent } from '../../src/index.ts';

/** An agent that says exactly what a test has it say. */
async function open(options: ConnectOptions = {}) {
  const [near, far] = createMemoryPair();
  const agent = createConnection(far);
  agent.onRequest('initialize', () => ({ protocolVersion: 1 }));
  agent.onRequest('session/new', () => {
    // Before the client can know the id of the session.
    const update = { sessionUpdate: 'available_commands_update', availableCommands: [] };
    void agent.notify('session/update', { sessionId: 's', update });
    return { sessionId: 's' };
  });
  const connection = await connect(near, options);
  onTestFinished(() => connection.close());
  return { agent, connection };
}

describe('a client that passes on what an agent says', () => {
  it('follows a session from its first event on', async () => {
    const { connection } = await open();
    const events: TranscriptEvent[] = [];
    await connection.newSession({ cwd: '/', follow: (event) => void events.push(event) });
    expect(events).toContainEqual({ type: 'commands', commands: [] });
  });

  it('gets a permission request as the agent put it, and hears when it is withdrawn', async () => {
    const asked: unknown[] = [];
    let withdrawn = false;
    const { agent, connection } = await open({
      permissions: {
        relay: (request, { signal }) => {
          asked.push(request);
          if (asked.length === 1) return { type: 'permission', optionId: 'y', meta: { seen: true } };
          return new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              withdrawn = true;
              resolve({ type: 'permission' });
            });
          });
        },
      },
    });
    await connection.newSession({ cwd: '/' });
    const toolCall = { toolCallId: 't', title: 'rm', level: 3 };
    const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
    const params = { sessionId: 's', toolCall, options, urgent: true };
    void agent.notify('session/update', {
      sessionId: 's',
      update: { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Remove', kind: 'delete' },
    });
    expect(await agent.request('session/request_permission', params)).toEqual({
      outcome: { outcome: 'selected', optionId: 'y' },
      _meta: { seen: true },
    });
    expect(asked).toEqual([
      {
        type: 'permission',
        sessionId: 's',
        toolCall: { toolCallId: 't', title: 'rm', extra: { level: 3 }, meta: { level: 3 } },
        options,
        extra: { urgent: true },
      },
    ]);
    const abort = new AbortController();
    const second = agent.request('session/request_permission', params, { signal: abort.signal }).catch(() => {});
    await expect.poll(() => asked.length).toBe(2);
    abort.abort();
    await second;
    await expect.poll(() => withdrawn).toBe(true);
  });

  it('takes every method that is no part of the protocol', async () => {
    const heard: unknown[] = [];
    const { agent, connection } = await open({
      extensions: {
        requests: { _known: () => 'known' },
        anyRequest: (method, params) => {
          if (method === 'x.ai/none') throw new RpcError(-32050, 'None', { of: 'these' });
          return { method, params };
        },
        anyNotification: (method, params) => void heard.push([method, params]),
      },
    });
    expect(await agent.request('x.ai/thing', { a: 1 })).toEqual({ method: 'x.ai/thing', params: { a: 1 } });
    expect(await agent.request('_known')).toBe('known');
    await expect(agent.request('x.ai/none')).rejects.toMatchObject({ code: -32050, data: { of: 'these' } });
    void agent.notify('_told', { b: 2 });
    agent.onRequest('_slow', ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)));
    await expect(connection.request('_slow', {}, { signal: AbortSignal.timeout(20) })).rejects.toThrow();
    expect(heard).toEqual([['_told', { b: 2 }]]);
  });

  it('has requests for files and terminals answered elsewhere, whole, and serves the others itself', async () => {
    const asked: unknown[] = [];
    const { agent, connection } = await open({
      workspace: { readTextFile: async () => 'ours' },
      terminals: { create: () => Promise.reject(new Error('None here.')) },
      permissions: { rules: ['deny Read', 'deny Bash'] },
      elsewhere: (method, params) => {
        if ((params as { path?: string }).path === '/ours') return undefined;
        asked.push([method, params]);
        return Promise.resolve({ content: 'theirs', terminalId: 'far-1', _meta: { from: 'afar' }, more: 1 });
      },
    });
    const events: TranscriptEvent[] = [];
    await connection.newSession({ cwd: '/', follow: (event) => void events.push(event) });
    const file = { sessionId: 's', path: '/theirs', encoding: 'utf-16', _meta: { a: 1 } };
    expect(await agent.request('fs/read_text_file', file)).toEqual({
      content: 'theirs',
      terminalId: 'far-1',
      _meta: { from: 'afar' },
      more: 1,
    });
    const command = { sessionId: 's', command: 'rm', args: ['-rf', '/'], pty: true };
    expect(await agent.request('terminal/create', command)).toMatchObject({ terminalId: 'far-1', more: 1 });
    expect(asked).toEqual([
      ['fs/read_text_file', file],
      ['terminal/create', command],
    ]);
    expect(events.some(({ type }) => type === 'terminal')).toBe(false);
    // What is served here is under the rules of this client.
    await expect(agent.request('fs/read_text_file', { sessionId: 's', path: '/ours' })).rejects.toThrow();
  });
});
