import { createConnection, RpcError } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ConnectOptions, connect, type HostedTerminal, type TranscriptEvent } from '../../src/index.ts';

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

  it('serves terminals that run elsewhere under the names that they have there', async () => {
    const terminal: HostedTerminal = {
      id: 'far-1',
      exit: undefined,
      readOutput: async () => ({ output: 'hi', isTruncated: false, exit: { exitCode: 0, signal: null } }),
      exited: Promise.resolve({ exitCode: 0, signal: null }),
      kill: async () => {},
      release: async () => {},
    };
    const { agent, connection } = await open({ terminals: { create: async () => terminal, isElsewhere: () => true } });
    const events: TranscriptEvent[] = [];
    await connection.newSession({ cwd: '/', follow: (event) => void events.push(event) });
    const key = { sessionId: 's', terminalId: 'far-1' };
    expect(await agent.request('terminal/create', { sessionId: 's', command: 'rm', args: ['-rf', '/'] })).toEqual({
      terminalId: 'far-1',
    });
    expect(await agent.request('terminal/output', key)).toEqual({
      output: 'hi',
      truncated: false,
      exitStatus: { exitCode: 0, signal: null },
    });
    expect(await agent.request('terminal/wait_for_exit', key)).toEqual({ exitCode: 0, signal: null });
    await agent.request('terminal/release', key);
    expect(events.some(({ type }) => type === 'terminal')).toBe(false);
  });
});
