import { createConnection } from '@parley/jsonrpc';
import { getTerminal, getToolCall } from '@parley/session';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/connect/connect.ts';
import { conversation, idle, openRaw, running, says, until, V2_ANSWER, whole } from '../support/raw-v2.ts';

const MODES = (currentValue: string, ...values: string[]): object => ({
  configId: 'how',
  name: 'How',
  category: 'mode',
  type: 'select',
  currentValue,
  options: [{ groupId: 'g', name: 'All', options: values.map((value) => ({ value, name: value.toUpperCase() })) }],
});

/** What the agent was asked, by method. */
function recording(answers: Readonly<Record<string, unknown>>) {
  const asked: { method: string; params: unknown }[] = [];
  const on = Object.fromEntries(
    Object.entries(answers).map(([method, answer]) => [
      method,
      ({ params }: { params: unknown }) => {
        asked.push({ method, params });
        if (answer instanceof Error) throw answer;
        return answer;
      },
    ]),
  );
  return { asked, on };
}

describe('the mode of a version 2 session', () => {
  it('is its option of that category, whoever changes it, and whichever modes there are', async () => {
    const { asked, on } = recording({ 'session/set_config_option': { configOptions: [MODES('b', 'a', 'b')] } });
    const { session, tell } = await openRaw({ opened: { configOptions: [MODES('a', 'a', 'b')] }, on });
    expect(session.transcript.mode).toEqual({
      currentModeId: 'a',
      availableModes: [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B' },
      ],
    });
    await session.setMode('b');
    expect(asked).toEqual([
      {
        method: 'session/set_config_option',
        params: { sessionId: 's', configId: 'how', type: 'id', value: 'b' },
      },
    ]);
    expect(session.transcript.mode?.currentModeId).toBe('b');
    await expect(session.setMode('z')).rejects.toMatchObject({ code: 'unknown_choice' });
    tell({ sessionUpdate: 'config_option_update', configOptions: [MODES('c', 'c')] });
    await until(session, () => session.transcript.mode?.currentModeId === 'c');
    expect(session.transcript.mode?.availableModes).toEqual([{ id: 'c', name: 'C' }]);
  });

  it('is none where no option is', async () => {
    const { session } = await openRaw();
    expect(session.transcript.mode).toBeUndefined();
    await expect(session.setMode('a')).rejects.toThrow('no modes');
  });
});

describe('a version 2 session that is opened again', () => {
  async function openStored(agentTells: (tell: (update: object) => void) => void) {
    const resumed: unknown[] = [];
    const raw = await openRaw();
    raw.agent.onRequest('session/resume', ({ params }) => {
      resumed.push(params);
      agentTells((update) => void raw.agent.notify('session/update', { sessionId: 'stored', update }));
      return { availableCommands: [{ type: 'command', name: 'go', description: 'Goes' }] };
    });
    return { ...raw, resumed };
  }

  it('is loaded with all that was said, from the beginning', async () => {
    const { connection, resumed } = await openStored((tell) => {
      tell(whole('user_message', 'u1', 'old ', 'question'));
      tell(says('old answer'));
      tell(whole('agent_message', 'a1', 'old answer, corrected'));
      tell(idle('end_turn'));
    });
    const session = await connection.loadSession('stored', { cwd: '/' });
    expect(conversation(session)).toEqual(['user: old question', 'agent: old answer, corrected']);
    expect(session.state).toBe('idle');
    expect(session.transcript.turns.length).toBe(0);
    expect(session.transcript.commands).toEqual([{ name: 'go', description: 'Goes' }]);
    expect(resumed).toEqual([{ sessionId: 'stored', cwd: '/', mcpServers: [], replayFrom: { type: 'start' } }]);
  });

  it('shows the turn that runs in it, and follows it to its end', async () => {
    const { connection, agent, resumed } = await openStored((tell) => tell(running));
    const session = await connection.resumeSession('stored', { cwd: '/' });
    expect(session.state).toBe('running');
    expect(resumed).toEqual([{ sessionId: 'stored', cwd: '/', mcpServers: [] }]);
    void agent.notify('session/update', { sessionId: 'stored', update: idle('end_turn') });
    await until(session, () => session.state === 'idle');
  });
});

describe('what a version 2 agent tells', () => {
  it('of a new session before it has answered is not overwritten by the answer', async () => {
    const raw = await openRaw();
    raw.agent.onRequest('session/new', () => {
      void raw.agent.notify('session/update', { sessionId: 'second', update: running });
      return { sessionId: 'second' };
    });
    const session = await raw.connection.newSession({ cwd: '/' });
    expect(session.state).toBe('running');
  });

  it('is kept where nobody knows it, and told where it is wrong, and the session lives on', async () => {
    const { session, tell, diagnostics } = await openRaw();
    tell({ sessionUpdate: '_vendor_thing', anything: { at: 'all' } });
    tell({ sessionUpdate: 'from_the_future' });
    tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'no id' } });
    tell({ sessionUpdate: 'tool_call_update', toolCallId: 'c', kind: 'ponder', status: 'resting' });
    tell({ sessionUpdate: 'agent_message_chunk', messageId: 'a1', content: { type: '_chart', points: [1] } });
    tell(says('fine', 'a2'));
    await until(session, () => conversation(session).includes('agent: fine'));
    expect(session.transcript.entries.toArray()).toMatchObject([
      { type: 'unknown', variant: '_vendor_thing', raw: { anything: { at: 'all' } } },
      { type: 'unknown', variant: 'from_the_future' },
      { type: 'tool_call', kind: 'ponder', status: 'resting' },
      { type: 'message' },
      { type: 'message', text: 'fine' },
    ]);
    expect(diagnostics).toMatchObject([{ kind: 'invalid_message', message: expect.stringContaining('messageId') }]);
  });

  it('of its terminals is decoded piece by piece, and begins anew when the session is opened again', async () => {
    const raw = await openRaw({ on: { 'session/resume': () => ({}) } });
    const { session, tell, connection, agent } = raw;
    const bytes = Buffer.from('ä');
    tell({ sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: bytes.subarray(0, 1).toString('base64') });
    await session.close();
    const again = await connection.resumeSession('s', { cwd: '/' });
    const data = Buffer.from('b').toString('base64');
    void agent.notify('session/update', {
      sessionId: 's',
      update: { sessionUpdate: 'terminal_output_chunk', terminalId: 't', data },
    });
    await until(again, () => getTerminal(again.transcript, 't') !== undefined);
    expect(getTerminal(again.transcript, 't')?.output).toBe('b');
  });
});

describe('the numbers of events', () => {
  it('never go back, although what others say is held until our prompt is answered', async () => {
    const asked: unknown[] = [];
    let tell = (_update: object, _cursor: number): void => {};
    let answer: ((result: object) => void) | undefined;
    let cut = (): void => {};
    const source = {
      name: 'the agent',
      async open() {
        const [near, far] = createMemoryPair();
        const agent = createConnection(far);
        cut = () => void agent.close();
        tell = (update, cursor) =>
          void agent.notify('session/update', { sessionId: 's', update, _meta: { 'parley/cursor': cursor } });
        agent.onRequest('initialize', () => ({ ...V2_ANSWER, _meta: { 'parley/cursor': true } }));
        agent.onRequest('session/new', () => ({ sessionId: 's' }));
        agent.onRequest('session/prompt', () => new Promise((resolve) => (answer = resolve)));
        agent.onRequest('session/resume', ({ params }) => {
          asked.push(params);
          tell(idle('end_turn'), 9);
          return {};
        });
        return { transport: near };
      },
    };
    const connection = await connect(source, { protocol: 2, reconnect: true });
    onTestFinished(() => connection.close());
    const session = await connection.newSession({ cwd: '/' });
    const turn = session.prompt('go');
    await expect.poll(() => answer).toBeDefined();
    tell(whole('user_message', 'theirs', 'their words'), 5);
    tell(says('on the way'), 6);
    answer?.({ messageId: 'm1' });
    await until(session, () => conversation(session).includes('user: their words'));
    cut();
    await turn.result.catch(() => {});
    await expect.poll(() => asked).toMatchObject([{ _meta: { 'parley/cursor': 6 } }]);
  });
});

describe('single pieces of work', () => {
  it('are cancelled while the agent lets them be, and only then', async () => {
    const { asked, on } = recording({ 'tool_call/cancel': {}, 'terminal/cancel': {} });
    const { session, tell } = await openRaw({ on });
    const call = (fields: object): object => ({ sessionUpdate: 'tool_call_update', toolCallId: 'c', ...fields });
    const terminal = (fields: object): object => ({ sessionUpdate: 'terminal_update', terminalId: 't', ...fields });
    tell(call({ title: 'Work', status: 'in_progress' }));
    tell(terminal({ command: 'sleep 1' }));
    await until(session, () => getTerminal(session.transcript, 't') !== undefined);
    await expect(session.cancelToolCall('c')).rejects.toMatchObject({ code: 'not_available' });
    await expect(session.cancelTerminal('t')).rejects.toThrow('cancel the turn');
    tell(call({ capabilities: { cancel: {} } }));
    tell(terminal({ capabilities: { cancel: {} } }));
    await until(session, () => getTerminal(session.transcript, 't')?.canCancel === true);
    await session.cancelToolCall('c');
    await session.cancelTerminal('t', { meta: { why: 'slow' } });
    expect(asked).toEqual([
      { method: 'tool_call/cancel', params: { sessionId: 's', toolCallId: 'c' } },
      { method: 'terminal/cancel', params: { sessionId: 's', terminalId: 't', _meta: { why: 'slow' } } },
    ]);
    tell(call({ status: 'cancelled' }));
    tell(terminal({ exitStatus: { signal: 'SIGTERM' } }));
    await until(session, () => getTerminal(session.transcript, 't')?.exit !== undefined);
    expect(getToolCall(session.transcript, 'c')?.status).toBe('cancelled');
    await expect(session.cancelToolCall('c')).rejects.toThrow('ended already');
    await expect(session.cancelTerminal('t')).rejects.toThrow('ended already');
    await expect(session.cancelTerminal('nobody')).rejects.toMatchObject({ code: 'unknown_choice' });
  });

  it('cannot be cancelled in version 1', async () => {
    const [near, far] = createMemoryPair();
    const agent = createConnection(far);
    agent.onRequest('initialize', () => ({ protocolVersion: 1 }));
    agent.onRequest('session/new', () => ({ sessionId: 's' }));
    const connection = await connect(near);
    onTestFinished(() => connection.close());
    const session = await connection.newSession({ cwd: '/' });
    void agent.notify('session/update', {
      sessionId: 's',
      update: { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Work', status: 'in_progress' },
    });
    await until(session, () => getToolCall(session.transcript, 'c') !== undefined);
    await expect(session.cancelToolCall('c')).rejects.toMatchObject({ code: 'not_available' });
    await expect(session.cancelTerminal('t')).rejects.toMatchObject({ code: 'unknown_choice' });
  });
});

describe('a connection that speaks version 2', () => {
  it('refuses requests with ids that are none, and serves no files', async () => {
    const [near, far] = createMemoryPair();
    const answers: unknown[] = [];
    far.onMessage((message) => {
      const { id, method } = message as { id?: number; method?: string };
      if (method === 'initialize') void far.send({ jsonrpc: '2.0', id: id as number, result: V2_ANSWER });
      else answers.push(message);
    });
    const connection = await connect(near, { protocol: 2, workspace: { readTextFile: async () => 'text' } });
    onTestFinished(() => connection.close());
    void far.send({ jsonrpc: '2.0', id: 1.5, method: 'session/request_permission', params: {} });
    void far.send({ jsonrpc: '2.0', id: 'x', method: 'fs/read_text_file', params: { sessionId: 's', path: '/a' } });
    await expect.poll(() => answers.length).toBe(2);
    expect(answers).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: 'x', error: { code: -32601 } },
    ]);
  });
});
