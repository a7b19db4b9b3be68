import { type DialectChoice, dialectOf, withDialect } from '@parley/dialects';
import { createConnection, type Message, RpcError, type Transport } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, vi } from 'vitest';
import type { Json } from './border.ts';

/** Our side with a dialect, and a bare peer that keeps what it receives. */
function open(dialect: Parameters<typeof withDialect>[1]): { ours: Transport; peer: Transport; received: Json[] } {
  const [near, peer] = createMemoryPair();
  const received: Json[] = [];
  peer.onMessage((value) => received.push(value as Json));
  return { ours: withDialect(near, dialect), peer, received };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));
const send = (transport: Transport, message: unknown): void => void transport.send(message as Message);
const prompt = { jsonrpc: '2.0', id: 1, method: 'session/prompt', params: { sessionId: 's', prompt: [] } };
const chunk = (text: string) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
});

describe('withDialect', () => {
  it('gives the transport itself back for the canonical dialect', () => {
    const [transport] = createMemoryPair();
    expect(withDialect(transport, 'canonical')).toBe(transport);
    expect(dialectOf(transport)).toMatchObject({ dialect: 'canonical', isCertain: true });
  });

  it('tells which dialect it speaks, and that it was configured', () => {
    const choices: DialectChoice[] = [];
    const { ours } = open({ dialect: 'go', onDialect: (choice) => choices.push(choice) });
    expect(dialectOf(ours)).toEqual({ dialect: 'go', because: 'configured', isCertain: true });
    expect(choices).toEqual([dialectOf(ours)]);
  });

  it('waits for the folder of a session that is looked up, and reads on in order behind it', async () => {
    let find = (_: { cwd: string } | undefined): void => {};
    const finding = new Promise<{ cwd: string } | undefined>((resolve) => {
      find = resolve;
    });
    const { ours, peer, received } = open({ dialect: 'harness', findSession: () => finding });
    const heard: Json[] = [];
    ours.onMessage((value) => heard.push(value as Json));
    send(peer, { jsonrpc: '2.0', id: 1, method: 'session/load', params: { sessionId: 's' } });
    send(peer, { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } });
    await settled();
    ours.pause();
    ours.resume();
    await settled();
    expect(heard).toEqual([]);
    find({ cwd: '/stored' });
    await settled();
    expect(heard).toMatchObject([{ id: 1, params: { cwd: '/stored', mcpServers: [] } }, { method: 'session/cancel' }]);
    expect(received).toEqual([]);
  });

  it('refuses to load a session whose folder cannot be looked up', async () => {
    const notes: unknown[] = [];
    const { ours, peer, received } = open({
      dialect: 'pharo',
      findSession: () => Promise.reject(new Error('The disk is gone.')),
      onNote: (note) => notes.push(note),
    });
    ours.onMessage(() => {});
    send(peer, { jsonrpc: '2.0', id: 1, method: 'session/load', params: { sessionId: 's', mcpServers: [] } });
    await settled();
    expect(received).toMatchObject([{ id: 1, error: { code: -32005 } }]);
    expect(notes).toMatchObject([{ row: 'D26' }]);
  });

  it('finds the dialect by the first message that shows it, and writes it from then on', async () => {
    const choices: DialectChoice[] = [];
    const { ours, peer, received } = open({ dialect: 'auto', onDialect: (choice) => choices.push(choice) });
    const agent = createConnection(ours);
    agent.onRequest('initialize', () => ({ protocolVersion: 1, authMethods: [] }));
    expect(dialectOf(ours)).toMatchObject({ dialect: 'canonical', isCertain: false });
    const clientCapabilities = { terminal: { create: true } };
    send(peer, { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities } });
    await settled();
    expect(received).toEqual([{ jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, authenticationMethods: [] } }]);
    expect(choices).toEqual([{ dialect: 'pharo', because: expect.stringContaining('terminal'), isCertain: true }]);
    expect(dialectOf(ours)).toEqual(choices[0]);
  });

  it('lets certain evidence correct a guess, and nothing correct certain evidence', async () => {
    const choices: DialectChoice[] = [];
    const { ours, peer } = open({ dialect: 'auto', onDialect: (choice) => choices.push(choice) });
    const client = createConnection(ours);
    const answer = async (method: string, result: unknown) => {
      const asked = client.request(method, { sessionId: 's' });
      await settled();
      send(peer, { jsonrpc: '2.0', id: choices.length + 1, result });
      await asked;
    };
    await answer('session/load', null);
    await answer('session/prompt', { content: [] });
    send(peer, {
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId: 's', update: { type: 'message', content: [] } },
    });
    await settled();
    expect(choices.map(({ dialect, isCertain }) => [dialect, isCertain])).toEqual([
      ['overview', false],
      ['harness', true],
    ]);
  });

  it('stays canonical while nothing shows another dialect', async () => {
    const onDialect = vi.fn();
    const { ours, peer, received } = open({ dialect: 'auto', onDialect });
    const agent = createConnection(ours);
    agent.onRequest('session/new', () => ({ sessionId: 's', modes: { currentModeId: 'a', availableModes: [] } }));
    send(peer, { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } });
    await settled();
    expect(received).toEqual([
      { jsonrpc: '2.0', id: 1, result: { sessionId: 's', modes: { currentModeId: 'a', availableModes: [] } } },
    ]);
    expect(onDialect).not.toHaveBeenCalled();
  });

  it('rejects a request that the dialect has no word for, without sending it', async () => {
    const { ours, received } = open('go');
    const client = createConnection(ours);
    const failed = client.request('session/set_mode', { sessionId: 's', modeId: 'x' });
    await expect(failed).rejects.toThrowError(RpcError);
    await expect(failed).rejects.toMatchObject({ code: -32601 });
    expect(received).toEqual([]);
  });

  it('delivers everything that one message becomes before the next, and before the answer', async () => {
    const { ours, peer } = open('harness');
    const client = createConnection(ours);
    const heard: string[] = [];
    client.onNotification('session/update', (params) => {
      heard.push((params as { update: { content: { text: string } } }).update.content.text);
    });
    const answered = client
      .request<Json>('session/prompt', prompt.params)
      .then((result) => heard.push(String(result.stopReason)));
    await settled();
    send(peer, chunk('One'));
    send(peer, {
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [
          { type: 'text', text: 'OneTwo' },
          { type: 'text', text: 'Three' },
        ],
      },
    });
    await answered;
    expect(heard).toEqual(['One', 'Two', 'Three', 'end_turn']);
  });

  it('holds the rest of a message back while our side is paused, and the end of the wire after it', async () => {
    const { ours, peer } = open('pharo');
    const heard: unknown[] = [];
    ours.onClose(() => heard.push('closed'));
    ours.onMessage((value) => {
      heard.push((value as typeof prompt & { params: { update: Json } }).params.update.content);
      ours.pause();
    });
    const texts = ['One', 'Two', 'Three'].map((text) => ({ type: 'text', text }));
    send(peer, {
      method: 'session/update',
      params: { sessionId: 's', update: { type: 'message', role: 'agent', content: texts } },
    });
    await settled();
    expect(heard).toEqual([texts[0]]);
    ours.resume();
    await settled();
    expect(heard).toEqual(texts.slice(0, 2));
    ours.resume();
    ours.pause();
    await settled();
    expect(heard).toEqual(texts.slice(0, 2));
    await peer.close();
    ours.resume();
    await settled();
    expect(heard).toEqual(texts);
    ours.resume();
    await settled();
    expect(heard).toEqual([...texts, 'closed']);
  });

  it('hands values that are no messages through, in their order', async () => {
    const { ours, peer } = open('auto');
    const heard: unknown[] = [];
    ours.onMessage((value) => heard.push(value));
    const values = [[prompt], 7, null, 'x', {}, { id: 1 }, { method: 5 }];
    for (const value of values) send(peer, value);
    await settled();
    expect(heard).toEqual([[prompt], 7, null, 'x', {}, { jsonrpc: '2.0', id: 1 }, { method: 5 }]);
  });

  it('answers a wait with a timeout when the time is over, while the process runs on', async () => {
    const { ours, peer, received } = open('pharo');
    const client = createConnection(ours);
    const aborted = vi.fn();
    client.onRequest('terminal/wait_for_exit', ({ signal }) => {
      signal.addEventListener('abort', aborted);
      return new Promise(() => {});
    });
    client.onRequest('terminal/output', () => ({ output: 'half', truncated: false }));
    const params = { sessionId: 's', terminalId: 't', timeout: 5 };
    send(peer, { jsonrpc: '2.0', id: 'w', method: 'terminal/wait_for_exit', params });
    await vi.waitFor(() =>
      expect(received).toEqual([{ jsonrpc: '2.0', id: 'w', result: { output: 'half', exitCode: null } }]),
    );
    expect(aborted).toHaveBeenCalledOnce();
    await client.close();
    expect(received).toHaveLength(1);
  });

  it('asks for the output by itself before it answers a wait, and no such question reaches the peer', async () => {
    const { ours, peer, received } = open('pharo');
    const client = createConnection(ours);
    client.onRequest('terminal/wait_for_exit', () => ({ exitCode: 0, signal: null }));
    client.onRequest('terminal/output', () => ({ output: 'all', truncated: false, exitStatus: { exitCode: 0 } }));
    send(peer, {
      jsonrpc: '2.0',
      id: 9,
      method: 'terminal/wait_for_exit',
      params: { sessionId: 's', terminalId: 't' },
    });
    await vi.waitFor(() =>
      expect(received).toEqual([{ jsonrpc: '2.0', id: 9, result: { output: 'all', exitCode: 0 } }]),
    );
  });

  it('forgets its timers when the wire ends', async () => {
    vi.useFakeTimers();
    try {
      const { ours, peer } = open('pharo');
      ours.onClose(() => {});
      ours.onMessage(() => {});
      send(peer, {
        jsonrpc: '2.0',
        id: 1,
        method: 'terminal/wait_for_exit',
        params: { terminalId: 't', timeout: 60_000 },
      });
      await vi.advanceTimersByTimeAsync(1);
      expect(vi.getTimerCount()).toBe(1);
      await ours.close();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('hangs up after a failed authentication only when told to', async () => {
    const { ours, peer, received } = open({ dialect: 'pharo', closeAfterFailedAuthentication: true });
    const agent = createConnection(ours);
    agent.onRequest('authenticate', () => {
      throw new RpcError(-32000, 'Wrong key');
    });
    send(peer, {
      jsonrpc: '2.0',
      id: 1,
      method: 'authenticate',
      params: { methodId: 'key', credentials: { apiKey: 'x' } },
    });
    await agent.closed;
    expect(received).toMatchObject([{ id: 1, error: { code: -32001, message: 'Wrong key' } }]);
  });

  it('leaves ACP v2 alone', async () => {
    const { ours, peer } = open('pharo');
    const client = createConnection(ours);
    const initialized = client.request('initialize', { protocolVersion: 2 });
    await settled();
    const result = { protocolVersion: 2, capabilities: { session: {} }, authMethods: [{ methodId: 'a', name: 'A' }] };
    send(peer, { jsonrpc: '2.0', id: 1, result });
    expect(await initialized).toEqual(result);
    const heard = vi.fn();
    client.onNotification('session/update', heard);
    send(peer, { jsonrpc: '2.0', method: 'session/update', params: { update: { type: 'message', content: [] } } });
    await settled();
    expect(heard).toHaveBeenCalledWith({ update: { type: 'message', content: [] } }, 'session/update');
  });
});
